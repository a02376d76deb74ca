import asyncio, json, secrets, sys, time, websockets

me, channel = sys.argv[1], sys.argv[2]                      # python3 client.py ann lobby

async def main():
    async with websockets.connect("ws://127.0.0.1:7878/v1/connect", max_size=4 << 20) as socket:
        waiting, position = {}, {}

        async def ask(command, body, id=None):
            id = id or secrets.token_hex(4)
            waiting[id] = asyncio.get_running_loop().create_future()
            await socket.send(json.dumps({"id": id, "cmd": command, "body": body}))
            frame = await waiting[id]
            if "error" in frame:
                raise RuntimeError(frame["error"]["message"])
            return frame["result"]

        def take(event):
            if "seq" in event:                              # a row of a channel's log
                last = position.get(event["channel"], 0)
                if event["seq"] <= last:
                    return                                  # known already
                position[event["channel"]] = event["seq"]   # a real client looks for gaps here
            if event["event"] == "message.sent":
                print(event["channel"], event["seq"], event["body"]["senderName"] + ":", event["body"]["text"])

        async def receive():
            async for text in socket:
                frame = json.loads(text)
                if "event" in frame:
                    take(frame)
                elif frame.get("id") in waiting:
                    waiting.pop(frame["id"]).set_result(frame)

        receiving = asyncio.create_task(receive())
        await ask("hello", {"version": 1, "guest": {"userID": me}, "deviceID": "python-" + me})
        for head in (await ask("resume", {"channels": []}))["channels"]:
            position[head["channel"]] = head["seq"]
        await ask("channel.join", {"channel": channel})
        for event in (await ask("message.list", {"channel": channel, "limit": 20}))["events"]:
            take(event)
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            trans_id = "%012x%016x" % (time.time_ns() // 1_000_000, secrets.randbits(64))
            await ask("message.send", {"channel": channel, "text": line}, trans_id)

asyncio.run(main())
