#!/usr/bin/env bash
# The life of a group on the command line: a separate server, eight devices of five users, every step checked.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]; then
    cat <<'TEXT'
usage: Examples/loftechs-story.sh

Plays the steps of the reference story that concern channels, members and
messages: 3 to 12 and 15, without files' bytes and push. It starts a
server in a temporary folder on a free port, prints "ok - step …" for each
thing that holds, and takes everything away again.

  ROOST=PATH   the binary; .build/release/roost when left out

Exit code: 0 all is well, 1 something does not hold.
TEXT
    exit 0
fi

roost=${ROOST:-.build/release/roost}
if [[ ! -x "$roost" ]]; then
    echo "loftechs-story: $roost does not exist; build it with: swift build -c release --product roost" >&2
    exit 1
fi
command -v python3 >/dev/null || {
    echo "loftechs-story: python3 is not installed" >&2
    exit 1
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/roost-story.XXXXXX")
declare -A tails=()
server=""

finish() {
    local status=$?
    trap - EXIT INT TERM
    for device in "${!tails[@]}"; do kill "${tails[$device]}" 2>/dev/null || true; done
    if [[ -n "$server" ]]; then kill "$server" 2>/dev/null || true; fi
    wait 2>/dev/null || true
    if ((status != 0)); then
        echo "loftechs-story: it ended early (status $status)" >&2
        tail -n 5 "$folder/server.log" >&2 2>/dev/null || true
    fi
    rm -rf "$folder"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- Functions

say() { echo "ok - $*"; }

fail() {
    echo "not ok - $*" >&2
    exit 1
}

# on DEVICE ARGUMENTS…: a command of the device's user, with JSON output. A device is a letter and a number.
on() {
    local device=$1
    shift
    "$roost" "$@" --server "$url" --as "${device:0:1}" --profile "$folder/$device" --json
}

# pick EXPRESSION: reads JSON lines and prints the value of a Python expression: j is the first line, all is the list.
pick() {
    python3 -c '
import json, sys
all = [json.loads(line) for line in sys.stdin if line.strip()]
j = all[0] if all else None
value = eval(sys.argv[1])
print(value if isinstance(value, str) else json.dumps(value, sort_keys=True))' "$1"
}

# is WHAT WANTED GOT
is() { [[ "$2" == "$3" ]] || fail "$1: expected $2, got $3"; }

# refused CODE DEVICE ARGUMENTS…: the command must be refused with this code, and end with 1.
refused() {
    local code=$1 status=0
    shift
    on "$@" >"$folder/answer" 2>"$folder/error" || status=$?
    [[ $status == 1 ]] || fail "$*: expected a refusal ($code), ended with $status: $(cat "$folder/answer" "$folder/error")"
    is "$*" "$code" "$(pick 'j["code"]' <"$folder/error")"
}

# count DEVICE EXPRESSION: prints the number of events e of a device that fulfil it; b is the event's body.
count() {
    python3 -c '
import json, sys
count = 0
for line in open(sys.argv[1]):
    if not line.endswith("\n"):
        break
    e = json.loads(line)
    b = e["body"]
    try:
        count += bool(eval(sys.argv[2]))
    except (KeyError, TypeError):
        pass
print(count)' "$folder/$1.events" "$2"
}

# saw "DEVICES" EXPRESSION [TIMES]: each of these devices gets such an event within 20 s.
saw() {
    local device times=${3:-1}
    for device in $1; do
        for _ in $(seq 100); do
            [[ $(count "$device" "$2") -ge $times ]] && continue 2
            sleep 0.2
        done
        tail -n 3 "$folder/$device.events" >&2
        fail "$device did not get: $2"
    done
}

# settled "DEVICES": waits until they have received a new message, and so everything before it.
marker=0
settled() {
    local device
    for device in $1; do
        marker=$((marker + 1))
        on "$device" message send --to "${device:0:1}" --text "marker $marker" >/dev/null
        saw "$device" "e['text'] == 'marker $marker'"
    done
}

# never "DEVICES" EXPRESSION: none of these devices has received such an event.
never() {
    local device
    settled "$1"
    for device in $1; do is "$device must not get: $2" 0 "$(count "$device" "$2")"; done
}

# follow DEVICE…: records the events of a device from now on.
follow() {
    local device
    for device in "$@"; do
        "$roost" tail --all --json --body --server "$url" --as "${device:0:1}" --name "${device:0:1}" \
            --profile "$folder/$device" >>"$folder/$device.events" 2>>"$folder/tails.log" &
        tails[$device]=$!
        # There is no sign that it follows, so a marker is sent until one arrives.
        local before
        before=$(count "$device" "e['text'] == 'here'")
        for _ in $(seq 100); do
            on "$device" message send --to "${device:0:1}" --text here >/dev/null
            sleep 0.1
            [[ $(count "$device" "e['text'] == 'here'") -gt $before ]] && continue 2
        done
        fail "$device does not follow"
    done
}

unfollow() {
    local device
    for device in "$@"; do
        kill "${tails[$device]}"
        wait "${tails[$device]}" 2>/dev/null || true
        unset "tails[$device]"
    done
}

# rows DEVICE: prints the number of rows of the group that the device's user can read.
rows() { on "$1" message list --channel club --after 0 --limit 1000 | pick 'len(all)'; }

# ---- The server and the users

# serve PORT ARGUMENTS…: starts the server and waits until it is ready.
serve() {
    local port=$1
    shift
    # Emptied here: the server may open it later than it is read below.
    : >"$folder/ready"
    "$roost" serve --dev --data "$folder/data" --port "$port" "$@" >"$folder/ready" 2>>"$folder/server.log" &
    server=$!
    for _ in $(seq 200); do
        url=$(sed -n 's/^ready //p' "$folder/ready")
        [[ -n "$url" ]] && return
        kill -0 "$server" 2>/dev/null || fail "the server does not start"
        sleep 0.1
    done
    fail "the server is not ready after 20 s"
}

# restart ARGUMENTS…: kills the server, as a power failure would, and starts it again on the same port.
restart() {
    kill -9 "$server"
    wait "$server" 2>/dev/null || true
    serve "${url##*:}" "$@"
}

serve 0
for device in d1 e1; do on "$device" user list a >/dev/null; done
for device in a1 a2 b1 b2 c1 c2 d1 e1; do
    : >"$folder/$device.events"
    on "$device" channel create --kind self >/dev/null
done
follow a1 a2 b1 b2 c1 c2 d1 e1
say "step 2: two devices each for a, b and c, one for d and e, follow what happens"

# ---- Step 3: the 1-on-1

is "id" a:b "$(on a1 channel create --kind single --member b | pick 'j["channel"]')"
is "id again" a:b "$(on b1 channel create --kind single --member a | pick 'j["channel"]')"
saw "a1 a2 b1 b2" "e['event'] == 'channel.joined' and b['channel'] == 'a:b'"
settled "a1 a2 b1 b2"
for device in a1 a2 b1 b2; do
    is "events at $device" 1 "$(count "$device" "e['event'] == 'channel.joined' and b['channel'] == 'a:b'")"
done
is "members" 2 "$(on a1 channel get --to b | pick 'j["memberCount"]')"
say "step 3: a 1-on-1 exists once, and each device gets one event"
refused 1104 a1 channel leave --to b
refused 1104 a1 member kick --to b b
refused 1104 a1 channel dismiss --to b
refused 1104 a1 member role --to b b admin
say "step 3: it cannot be left, dismissed, kicked from, nor has it roles (1104)"

# ---- Step 4: the group

on a1 channel create --channel club --title "The club" --member b=participant --member c=participant >/dev/null
saw "a1 a2 b1 b2 c1 c2" \
    "e['event'] == 'channel.joined' and b['channel'] == 'club' and b['memberCount'] == 3 and b['reason'] == 'created'"
is "role" admin "$(on a1 channel get --channel club | pick 'j["role"]')"
say "step 4: all devices of a, b and c learn of the group of three"
refused 1102 a1 channel create --channel club --member b
status=0
on a1 channel create --channel "not an id!" --member b >/dev/null 2>&1 || status=$?
is "the exit code of a malformed id" 2 "$status"
refused 1106 a1 channel create --channel other --member nobody
say "step 4: its id is taken (1102), a malformed one is wrong use (exit code 2), unknown users are refused (1106)"

# ---- Step 5: preferences and profile

on a1 channel prefer --channel club --mute true >/dev/null
on a1 channel prefer --channel club --ringtone bell >/dev/null
is "all values" '{"isMuted": true, "nickname": "Chief", "ringtone": "bell"}' \
    "$(on a1 channel prefer --channel club --nickname Chief | pick j)"
saw "a1 a2" "e['event'] == 'channel.preferenceChanged' and b['preference'] == {'isMuted': True}"
saw "a1 a2" "e['event'] == 'channel.preferenceChanged' and b['preference'] == {'isMuted': True, 'ringtone': 'bell'}"
saw "a1 a2" "e['event'] == 'channel.preferenceChanged' and \
    b['preference'] == {'isMuted': True, 'ringtone': 'bell', 'nickname': 'Chief'}"
saw "a1 a2 b1 b2 c1 c2" "e['event'] == 'member.profileChanged' and b['member']['name'] == 'Chief' and b['hasNickname']"
never "b1 b2 c1 c2" "e['event'] == 'channel.preferenceChanged'"
refused 1111 a1 channel prefer --channel club
say "step 5: a's other device gets each preference with all values, b and c only the nickname"

everybody="a1 a2 b1 b2 c1 c2"
on a1 channel set --channel club --title "The new club" >/dev/null
on b1 channel set --channel club --avatar pictures/1 >/dev/null
on b1 channel set --channel club --avatar "" >/dev/null
is "only the changed key" '{"customAttributes": 3}' \
    "$(on c1 channel set --channel club --custom-attributes 3 --title "The new club" | pick 'j["profile"]')"
for profile in "{'title': 'The new club'}" "{'avatar': 'pictures/1'}" "{'avatar': ''}" "{'customAttributes': 3}"; do
    saw "$everybody" "e['event'] == 'channel.profileChanged' and b['profile'] == $profile"
done
is "settings" '{"customAttributes": 3}' "$(on c1 channel get --channel club | pick 'j["profile"]')"
refused 1112 a1 channel set --channel club
refused 1107 b1 channel set --channel club --can-join true
say "step 5: everybody gets the changed key of the profile, and only that"

# ---- Step 6: members

refused 1107 b1 member kick --channel club c
refused 1109 a1 member kick --channel club
on a1 member invite --channel club --join-method userCode d >/dev/null
saw "$everybody d1" "e['event'] == 'member.invited' and b['members'][0]['userID'] == 'd' and b['memberCount'] == 4"
is "pages" '[["a", "b"], ["c", "d"]]' \
    "$(on a1 member list --channel club --page 2 | pick '[[m["userID"] for m in page["members"]] for page in all]')"
is "the way" '"userCode"' \
    "$(on a1 member list --channel club | pick 'json.dumps(j["members"][3]["joinMethod"])')"
on d1 channel leave --channel club >/dev/null
saw "$everybody" "e['event'] == 'member.left' and b['userID'] == 'd' and b['memberCount'] == 3"
saw d1 "e['event'] == 'channel.left' and b['channel'] == 'club' and b['reason'] == 'left'"
refused 1117 d1 message list --channel club
say "step 6: a participant cannot remove; d is invited by code, listed in pages of two, and leaves"

on a1 member role --channel club b moderator >/dev/null
saw "$everybody" "e['event'] == 'member.roleChanged' and b['members'] == [{'userID': 'b', 'name': 'b', 'role': 'moderator'}]"
refused 1107 a1 channel leave --channel club
refused 1120 a1 member role --channel club b moderator
on a1 member role --channel club b admin >/dev/null
on a1 channel leave --channel club >/dev/null
saw "b1 b2 c1 c2" "e['event'] == 'member.left' and b['userID'] == 'a' and b['memberCount'] == 2"
saw "a1 a2" "e['event'] == 'channel.left' and b['reason'] == 'left'"
refused 1117 a2 message send --channel club --text "still here?"
say "step 6: the last admin hands over before leaving (1107), and cannot write afterwards (1117)"

on b1 member invite --channel club a >/dev/null
saw "a1 a2" "e['event'] == 'channel.joined' and b['channel'] == 'club' and b['reason'] == 'invited'"
on b1 member ban --channel club d --reason 7 >/dev/null
saw "$everybody" "e['event'] == 'member.banned' and b['members'][0]['userID'] == 'd' and b['reason'] == 7"
refused 1107 d1 member join --channel club
refused 1107 b1 member invite --channel club d
is "who is banned" '["d"]' \
    "$(on b1 member list --channel club --role outcast | pick '[m["userID"] for m in j["members"]]')"
on b1 member invite --channel club e=invited >/dev/null
saw e1 "e['event'] == 'channel.invited' and b['channel'] == 'club'"
is "invitations" '["club"]' "$(on e1 channel list --role invited | pick '[c["channel"] for c in j["channels"]]')"
refused 1107 e1 message list --channel club
on e1 member answer --channel club --accept >/dev/null
saw "$everybody e1" "e['event'] == 'member.joined' and b['member']['userID'] == 'e' and b['isAnswer']"
refused 1116 e1 member answer --channel club --accept
is "members" 4 "$(on c1 channel get --channel club | pick 'j["memberCount"]')"
say "step 6: a is back, d is banned and stays out (1107), e is asked and accepts"

# ---- Step 7: messages of every kind

unread() { on c1 unread | pick '([c["unread"] for c in j["channels"] if c["channel"] == "club"] or [0])[0]'; }
on c1 mark --channel club >/dev/null
everybody="$everybody e1"
last=""

# kind STORED LAST UNREAD ARGUMENTS…: sends a message of a kind and checks its delivery. STORED is y, live (only relayed)
# or n (only a push).
kind() {
    local stored=$1 isLast=$2 counts=$3 before id seq
    shift 3
    before=$(unread)
    on a1 message send --channel club "$@" >"$folder/sent"
    id=$(pick 'j["messageID"]' <"$folder/sent")
    seq=$(pick 'j.get("seq", 0)' <"$folder/sent")
    case $stored in
    y) saw "b1 c2" "e['messageID'] == '$id' and e['event'] == 'message.sent'" ;;
    live) saw "b1 c2" "e['messageID'] == '$id' and e['event'] == 'message.relayed'" ;;
    n) never "b1 c2" "e['messageID'] == '$id'" ;;
    esac
    if [[ $stored == y ]]; then
        is "stored: $*" "$seq" "$(on c1 message get --channel club "$id" | pick 'j["seq"]')"
    else
        is "no row: $*" 0 "$seq"
        refused 1118 c1 message get --channel club "$id"
    fi
    if [[ $isLast == y ]]; then last=$id; fi
    is "last message: $*" "$last" "$(on c1 channel get --channel club | pick 'j["lastMessage"]["body"]["messageID"]')"
    is "unread: $*" "$((before + counts))" "$(unread)"
}

kind y y 1 --text "@b, look" --mention b:0:2
text=$(pick 'j["messageID"]' <"$folder/sent")
saw b1 "e['text'] == '@b, look' and b['mentions'] == [{'userID': 'b', 'start': 0, 'length': 2}]"
kind y y 1 --type sticker --text "pack,3013,2"
# put DEVICE NAME BYTES: uploads a file, and prints its id.
put() {
    printf '%b' "$3" >"$folder/$2"
    on "$1" file put "$folder/$2" | pick 'j["fileID"]'
}
roof=$(put a1 roof.jpg '\xff\xd8\xff\xe0the roof')
small=$(put a1 small.jpg '\xff\xd8\xff\xe0small')
kind y y 1 --type image --file-id "$roof" --thumbnail-id "$small"
image=$(pick 'j["messageID"]' <"$folder/sent")
kind y y 1 --type video --file-id "$(put a1 film.mp4 '\0\0\0\x18ftypisom')" --thumbnail-id "$(put a1 poster.jpg '\xff\xd8\xff\xe0poster')" --text "Look"
kind y y 1 --type voice --file-id "$(put a1 note.ogg OggS)" --extra duration=00:05:30
kind y y 1 --type location --latitude 52.5 --longitude -13.4 --address "Here"
kind y y 1 --type contact --file-id "$(put a1 dee.vcf 'BEGIN:VCARD\r\nEND:VCARD\r\n')"
kind y y 1 --type document --file-id "$(put a1 plan.pdf '%PDF-1.7')"
kind y n 0 --type custom --attributes 1 --text "stored"
kind live n 0 --type custom --attributes 2 --text "live"
kind live n 0 --type custom --attributes 4 --text "where it is open"
kind n n 0 --type custom --attributes 8 --text "pushed"
kind y n 1 --type custom --attributes 16 --text "unread"
kind y y 0 --type custom --attributes 32 --text "last"
kind y n 0 --type customQuiet --text "quiet"
kind y y 0 --type customUncounted --text "uncounted"
kind y y 0 --type screenshotTaken --reply-to "$text"
say "step 7: each kind is stored, last, live and unread as its type says"

fields=$(on b1 message get --channel club "$image" | pick 'j["body"]["file"]')
is "file" "{\"contentType\": \"image/jpeg\", \"fileID\": \"$roof\", \"name\": \"roof.jpg\", \"size\": 12}" "$fields"
refused 1001 a1 message send --channel club --text "$(python3 -c 'print("x" * 8001)')"
on a1 message send --channel club --text "$(python3 -c 'print("x" * 8000)')" >/dev/null
refused 1114 a1 message send --channel club --text "@d" --mention d:0:2
refused 1104 a1 message send --channel club --kind single --text "a 1-on-1?"
say "step 7: 8000 characters fit, 8001 do not (1001); who is named is a member (1114); the kind of channel holds (1104)"

on b1 message send --channel club --type image --file-id "$(put b1 other.jpg '\xff\xd8\xff\xe0other')" --reply-to "$text" >"$folder/sent"
is "image to text" "@b, look" "$(on c1 message get --channel club "$(pick 'j["messageID"]' <"$folder/sent")" |
    pick 'j["body"]["replyTo"]["text"]')"
on b1 message send --channel club --text "Nice" --reply-to "$image" >"$folder/sent"
answer=$(pick 'j["messageID"]' <"$folder/sent")
is "text to image" "[\"image\", \"$roof\", \"$small\"]" "$(on c1 message get --channel club "$answer" |
    pick '[j["body"]["replyTo"][k] if k == "type" else j["body"]["replyTo"][k]["fileID"] for k in ("type", "file", "thumbnail")]')"
refused 1118 a1 message send --channel club --text "To whom?" --reply-to 00000000000000000000000000000000
say "step 7: images answer texts and texts answer images; an unknown one cannot be answered (1118)"

# ---- Steps 8 and 9: several messages to several channels, now and later

send_many=(message send-many --channel club --to b --trans-id many --text "many: 1" --text "many: 2" --text "many: 3")
on a1 "${send_many[@]}" >"$folder/sent"
is "one result per pair" '[["club", 0, 0], ["club", 1, 0], ["club", 2, 0], ["a:b", 0, 0], ["a:b", 1, 0], ["a:b", 2, 0]]' \
    "$(pick '[[r["channel"], r["index"], r["code"]] for r in j["results"]]' <"$folder/sent")"
saw "a1 a2 b1 b2" "e['text'] == 'many: 3'" 2
saw "c1 c2 e1" "e['text'] == 'many: 3' and e['channel'] == 'club'"
is "the same again" "$(pick j <"$folder/sent")" "$(on a1 "${send_many[@]}" | pick j)"
for place in "--channel club" "--to a"; do
    # shellcheck disable=SC2086
    is "in their order" '["many: 1", "many: 2", "many: 3"]' \
        "$(on b1 message list $place --limit 3 | pick '[r["text"] for r in all]')"
done
is "one of them closed" '[1105, 0]' "$(on a1 message send-many --to b --channel nowhere:other --text "x" |
    pick '[r["code"] for r in j["results"]]')"
refused 1105 a1 message send-many --channel nowhere:other --text "x"
refused 1107 d1 message send-many --channel club --text "x"
say "step 8: three messages reach two channels in one command, once, with a result for each"

refused 1008 a1 schedule create --to b --text "too soon" --in 30s
refused 1008 a1 schedule create --to b --text "too late" --in 31d
on a1 schedule create --to b --channel club --text "later: 1" --text "later: 2" --in 2m >"$folder/sent"
later=$(pick 'j["scheduleID"]' <"$folder/sent")
saw "a1 a2" "e['event'] == 'schedule.created' and b['scheduleID'] == '$later' and b['channels'] == ['club', 'a:b']"
is "listed" "[\"$later\"]" "$(on a2 schedule list | pick '[s["scheduleID"] for s in all]')"
on a2 schedule change --text "later: 3" "$later" >/dev/null
saw "a1 a2" "e['event'] == 'schedule.changed' and [m['text'] for m in b['messages']] == ['later: 3']"
refused 7013 b1 schedule cancel "$later"
on a1 schedule cancel "$later" >/dev/null
saw "a1 a2" "e['event'] == 'schedule.cancelled' and b['scheduleID'] == '$later'"
refused 7013 a1 schedule cancel "$later"
# From now on schedules may be one second ahead, so that nothing here waits for two minutes.
restart --limit scheduleMinMs=1000
on a1 schedule create --to b --channel club --text "in time: 1" --text "in time: 2" --in 8s >"$folder/sent"
later=$(pick 'j["scheduleID"]' <"$folder/sent")
restart
saw "a1 a2 b1 b2" "e['text'] == 'in time: 2'" 2
saw "c1 c2 e1" "e['text'] == 'in time: 2'"
saw "a1 a2" "e['event'] == 'schedule.sent' and b['scheduleID'] == '$later' and [r['code'] for r in b['results']] == [0] * 4"
settled "$everybody"
for device in b1 b2; do is "once at $device" 2 "$(count "$device" "e['text'] == 'in time: 1'")"; done
never "b1 b2 c1 c2 d1 e1" "e['event'].startswith('schedule.')"
say "step 9: a's devices get the schedule, which is sent once through a restart; 30 s and 31 days are 1008"
# ---- Step 8: forwarding

on a1 message forward --channel club --into a:b --into lobby "$text" "$image" >"$folder/sent"
is "pairs" '[["a:b", 0, 0], ["a:b", 1, 0], ["lobby", 0, 0], ["lobby", 1, 0]]' \
    "$(pick '[[r["channel"], r["index"], r["code"]] for r in j]' <"$folder/sent")"
copies=$(pick '" ".join(r["messageID"] for r in j)' <"$folder/sent")
read -r copy_of_text copy_of_image lobby_text _ <<<"$copies"
saw "a2 b1 b2" "e['messageID'] == '$copy_of_text' and e['senderID'] == 'a' and b['isForwarded'] and e['text'] == '@b, look'"
saw "a2 b1 b2" "e['messageID'] == '$copy_of_image' and b['file']['fileID'] == '$roof'"
is "no tags" true "$(on b1 message get --channel a:b "$copy_of_text" | pick '"mentions" not in j["body"]')"
is "in the lobby" "\"$roof\"" \
    "$(on d1 message list --channel lobby | pick 'json.dumps(all[-1]["body"]["file"]["fileID"])')"
is "origin" "[\"club\", \"$text\"]" "$(on b1 message origin --channel a:b "$copy_of_text" |
    pick '[j["channel"], j["messageID"]]')"
refused 1118 d1 message origin --channel lobby "$lobby_text"
say "step 8: two messages to two channels are four, files included; only users who may read it see the origin"

on a1 message send --to b --text "never mind" >"$folder/sent"
gone=$(pick 'j["messageID"]' <"$folder/sent")
on a1 message recall --to b "$gone" >/dev/null
refused 1118 b1 message forward --channel a:b --into club "$gone"
is "one forbidden channel" '[1105, 0]' "$(on b1 message forward --channel club --into c:d --into a:b "$image" |
    pick '[r["code"] for r in j]')"
say "step 8: what was recalled is not forwarded (1118), and a closed channel has its own code"

# ---- Step 10: reading by time

on a1 message send --to b --text "just the two of us" --category notes >/dev/null
on a1 message send --channel club --text "all of us" --category notes >/dev/null
on a1 message list --channel club --after 0 --limit 1000 >"$folder/log"
middle=$(pick 'all[len(all) // 2]["sentAt"]' <"$folder/log")
for side in after before; do
    on a1 message query --channel club "--$side" "$middle" --limit 10 >"$folder/page"
    python3 - "$folder/log" "$folder/page" "$middle" "$side" <<'PY' || fail "query $side $middle"
import json, sys
log, page = ([json.loads(line) for line in open(name)] for name in sys.argv[1:3])
middle, is_after = int(sys.argv[3]), sys.argv[4] == "after"
side = [row for row in log if (row["sentAt"] > middle if is_after else row["sentAt"] < middle)]
wanted = side[:10] if is_after else side[-10:]
times = {row["sentAt"] for row in wanted}
wanted = [row["seq"] for row in side if row["sentAt"] in times]
assert [row["seq"] for row in page] == wanted, (wanted, [row["seq"] for row in page])
PY
done
say "step 10: ten rows after a moment and ten before it, ascending, without the moment itself"
is "over all channels" '["a:b", "club"]' "$(on a1 message query --after 0 --category notes |
    pick 'sorted(row["channel"] for row in all)')"
is "all of them" "$(pick '[row["seq"] for row in all]' <"$folder/log")" \
    "$(on a1 message query --channel club --after 0 --page 7 | pick '[row["seq"] for row in all]')"
is "backwards" "$(pick 'sorted(row["seq"] for row in all)' <"$folder/log")" \
    "$(on a1 message query --channel club --before 9999999999999 --page 7 | pick 'sorted(row["seq"] for row in all)')"
say "step 10: one category over all channels, page by page to the end"

# ---- Step 11: reading

on b1 mark --channel club >/dev/null
ids=() seqs=()
for number in 1 2 3 4 5; do
    on a1 message send --channel club --text "five: $number" >"$folder/sent"
    ids+=("$(pick 'j["messageID"]' <"$folder/sent")")
    seqs+=("$(pick 'j["seq"]' <"$folder/sent")")
done
moved="e['event'] == 'readMark.moved' and any(m['userID'] == 'b' and m['seq'] =="
is "left" 2 "$(on b1 mark --channel club --message "${ids[2]}" | pick 'j["unread"]')"
saw "a1 a2 b2 c1 e1" "$moved ${seqs[2]} for m in b['marks'])"
is "unread of b" '[["club", 2]]' \
    "$(on b1 unread | pick '[[c["channel"], c["unread"]] for c in j["channels"] if c["channel"] == "club"]')"
unfollow c1 c2
on b1 mark --channel club --message "${ids[3]}" >/dev/null
saw "a1 e1" "$moved ${seqs[3]} for m in b['marks'])"
is "read info" "${seqs[3]}" \
    "$(on c1 member reads --channel club | pick '[m["seq"] for m in all if m["userID"] == "b"][0]')"
follow c1 c2
say "step 11: all devices get a mark, and c, who was offline, asks for it"

is "counts" '[[1, 2], [0, 3]]' "$(on c1 message reads --channel club "${ids[2]}" "${ids[4]}" |
    pick '[[m["readBy"], m["unreadBy"]] for m in all]')"
on e1 mark --channel club --seq "${seqs[4]}" >/dev/null
is "readers, one at a time" '["b", "e"]' \
    "$(on a1 message readers --channel club --page 1 "${ids[2]}" | pick '[r["userID"] for r in all]')"
on b1 mark --channel club --message "${ids[0]}" >/dev/null
never "a1" "$moved ${seqs[0]} for m in b['marks'])"
is "it stays" "${seqs[3]}" "$(on b1 mark --channel club --list | pick 'j["seq"]')"
say "step 11: readers are counted and listed in pages; a mark never moves back"

on b1 channel prefer --channel club --mute true >/dev/null
is "muted" '[1, true]' "$(on b1 unread |
    pick '[[c["unread"], c.get("isMuted")] for c in j["channels"] if c["channel"] == "club"][0]')"
on b1 channel prefer --channel club --mute false >/dev/null
is "why" 1 "$(on b1 unread --explain --channel club | pick '(lambda c: c["count"] - c["readCount"] - c["own"] - c["recalled"] - c["deleted"])(j["channels"][0])')"
on b2 channel unread --channel club >/dev/null
saw b1 "e['event'] == 'channel.unreadMarked' and b['isMarkedUnread']"
on b1 mark --channel club >/dev/null
saw b2 "e['event'] == 'channel.unreadMarked' and not b['isMarkedUnread']"
say "step 11: the badge is explained, muted channels stand apart, and a channel can be marked as unread"

# ---- Step 12: deleting and recalling

before_b=$(rows b1)
before_c=$(rows c1)
on c1 message delete --channel club "${ids[0]}" >/dev/null
saw "c1 c2" "e['event'] == 'message.deleted' and b['messages'][0]['messageID'] == '${ids[0]}'"
is "c after one" "$((before_c - 1))" "$(rows c1)"
refused 1118 c2 message get --channel club "${ids[0]}"
on c1 message delete --channel club --all >/dev/null
saw "c1 c2" "e['event'] == 'channel.cleared' and [c['channel'] for c in b['channels']] == ['club'] and not b['isAll']"
is "c after the channel" 0 "$(rows c1)"
is "unread of c" 0 "$(unread)"
settled "c1 c2"
on c1 message delete --everything >/dev/null
saw "c1 c2" "e['event'] == 'channel.cleared' and b['isAll']"
is "c after everything" 0 "$(on c1 message query --after 0 | pick 'len(all)')"
is "b" "$before_b" "$(rows b1)"
never "a1 a2 b1 b2 e1" "e['event'] in ('message.deleted', 'channel.cleared')"
say "step 12: c deletes one message, a channel, everything: only c's copies go, and only c's devices learn of it"

on b1 message send --channel club --text "silently gone" >"$folder/sent"
gone=$(pick 'j["messageID"]' <"$folder/sent")
on b1 message send --channel club --text "a shell stays" >"$folder/sent"
shell=$(pick 'j["messageID"]' <"$folder/sent")
on a1 message send --channel club --text "to that" --reply-to "$shell" >"$folder/sent"
answer=$(pick 'j["messageID"]' <"$folder/sent")
on b1 message recall --channel club --silent "$gone" >/dev/null
on b1 message recall --channel club "$shell" >/dev/null
saw "$everybody" "e['event'] == 'message.recalled' and b['isSilent'] and b['messages'][0]['messageID'] == '$gone'"
saw "$everybody" "e['event'] == 'message.recalled' and not b['isSilent'] and b['messages'][0]['messageID'] == '$shell'"
refused 1118 a1 message get --channel club "$gone"
is "not in the log" 0 "$(on a1 message list --channel club --limit 20 | pick "len([r for r in all if r['messageID'] == '$gone'])")"
is "the shell" '["", "b", false]' "$(on a1 message get --channel club "$shell" |
    pick '[j["text"], j["body"]["recall"]["byUserID"], j["body"]["recall"]["isSilent"]]')"
is "the answer to it" '["", true]' "$(on a1 message get --channel club "$answer" |
    pick '[j["body"]["replyTo"]["text"], j["body"]["replyTo"]["isRecalled"]]')"
is "stored rows of recalls" 1 "$(on a1 message list --channel club --limit 20 | pick 'len([r for r in all if r["event"] == "message.recalled"])')"
say "step 12: recalled silently it is gone, otherwise a shell stays; answers to it are emptied"

on b1 channel set --channel club --moderators-may-recall false >/dev/null
refused 1113 b1 message recall --channel club "$answer"
refused 1118 b1 message recall --channel club "$shell"
on b1 channel set --channel club --moderators-may-recall true >/dev/null
on b1 message recall --channel club "$answer" >/dev/null
say "step 12: b cannot recall a's message (1113) until the channel lets admins do so"

# ---- Step 15: the end

refused 1107 a1 channel dismiss --channel club
on b1 channel dismiss --channel club >/dev/null
saw "$everybody" "e['event'] == 'channel.dismissed' and b['channel'] == 'club'"
refused 1105 a1 message send --channel club --text "anybody?"
refused 1105 b1 channel get --channel club
refused 1105 c1 member list --channel club
refused 1105 e1 mark --channel club
refused 1102 b1 channel create --channel club --member a
is "gone" '[["club", "dismissed"]]' "$(on a1 channel list --changed-since 1 |
    pick '[[g["channel"], g["reason"]] for g in j["gone"]]')"
say "step 15: dismissed for all; every call is 1105, and the id stays burnt (1102)"
"$roost" tail --all --server "$url" --as a --profile "$folder/a1" --timeout 0.2 || fail "a tail does not end well"
say "step 15: disconnecting is no error"
