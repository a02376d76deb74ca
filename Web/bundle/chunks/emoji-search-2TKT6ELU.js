import{a as h,b as w}from"./chunk-LXRILO7U.js";import"./chunk-CDBD32DE.js";var y={smileys:`
😀 😃 😄 😁 😆 😅 🤣 😂 🙂 🙃 🫠 😉 😊 😇 🥰 😍 🤩 😘 😗 ☺️ 😚 😙 🥲 😋 😛 😜 🤪 😝 🤑 🤗 🤭 🫢 🫣 🤫 🤔 🫡 🤐 🤨 😐 😑 😶 🫥 😶‍🌫️ 😏 😒 🙄 😬 😮‍💨 🤥 😌 😔 😪 🤤 😴 😷
🤒 🤕 🤢 🤮 🤧 🥵 🥶 🥴 😵 😵‍💫 🤯 🤠 🥳 🥸 😎 🤓 🧐 😕 🫤 😟 🙁 ☹️ 😮 😯 😲 😳 🥺 🥹 😦 😧 😨 😰 😥 😢 😭 😱 😖 😣 😞 😓 😩 😫 🥱 😤 😡 😠 🤬 😈 👿 💀 ☠️ 💩 🤡 👹 👺 👻
👽 👾 🤖 😺 😸 😹 😻 😼 😽 🙀 😿 😾 🙈 🙉 🙊 💌 💘 💝 💖 💗 💓 💞 💕 💟 ❣️ 💔 ❤️‍🔥 ❤️‍🩹 ❤️ 🧡 💛 💚 💙 💜 🤎 🖤 🤍 💋 💯 💢 💥 💫 💦 💨 🕳️ 💬 👁️‍🗨️ 🗨️ 🗯️ 💭 💤`,people:`
👋+ 🤚+ 🖐️+ ✋+ 🖖+ 🫱+ 🫲+ 🫳+ 🫴+ 👌+ 🤌+ 🤏+ ✌️+ 🤞+ 🫰+ 🤟+ 🤘+ 🤙+ 👈+ 👉+ 👆+ 🖕+ 👇+ ☝️+ 🫵+ 👍+ 👎+ ✊+ 👊+ 🤛+ 🤜+ 👏+ 🙌+ 🫶+ 👐+ 🤲+ 🤝+ 🙏+
✍️+ 💅+ 🤳+ 💪+ 🦾 🦿 🦵+ 🦶+ 👂+ 🦻+ 👃+ 🧠 🫀 🫁 🦷 🦴 👀 👁️ 👅 👄 🫦 👶+ 🧒+ 👦+ 👧+ 🧑+ 👱+ 👨+ 🧔+ 🧔‍♂️+ 🧔‍♀️+ 👨‍🦰+ 👨‍🦱+ 👨‍🦳+ 👨‍🦲+ 👩+ 👩‍🦰+
🧑‍🦰+ 👩‍🦱+ 🧑‍🦱+ 👩‍🦳+ 🧑‍🦳+ 👩‍🦲+ 🧑‍🦲+ 👱‍♀️+ 👱‍♂️+ 🧓+ 👴+ 👵+ 🙍+ 🙍‍♂️+ 🙍‍♀️+ 🙎+ 🙎‍♂️+ 🙎‍♀️+ 🙅+ 🙅‍♂️+ 🙅‍♀️+ 🙆+ 🙆‍♂️+ 🙆‍♀️+
💁+ 💁‍♂️+ 💁‍♀️+ 🙋+ 🙋‍♂️+ 🙋‍♀️+ 🧏+ 🧏‍♂️+ 🧏‍♀️+ 🙇+ 🙇‍♂️+ 🙇‍♀️+ 🤦+ 🤦‍♂️+ 🤦‍♀️+ 🤷+ 🤷‍♂️+ 🤷‍♀️+ 🧑‍⚕️+ 👨‍⚕️+ 👩‍⚕️+ 🧑‍🎓+
👨‍🎓+ 👩‍🎓+ 🧑‍🏫+ 👨‍🏫+ 👩‍🏫+ 🧑‍⚖️+ 👨‍⚖️+ 👩‍⚖️+ 🧑‍🌾+ 👨‍🌾+ 👩‍🌾+ 🧑‍🍳+ 👨‍🍳+ 👩‍🍳+ 🧑‍🔧+ 👨‍🔧+ 👩‍🔧+ 🧑‍🏭+ 👨‍🏭+ 👩‍🏭+ 🧑‍💼+ 👨‍💼+
👩‍💼+ 🧑‍🔬+ 👨‍🔬+ 👩‍🔬+ 🧑‍💻+ 👨‍💻+ 👩‍💻+ 🧑‍🎤+ 👨‍🎤+ 👩‍🎤+ 🧑‍🎨+ 👨‍🎨+ 👩‍🎨+ 🧑‍✈️+ 👨‍✈️+ 👩‍✈️+ 🧑‍🚀+ 👨‍🚀+ 👩‍🚀+ 🧑‍🚒+ 👨‍🚒+ 👩‍🚒+ 👮+
👮‍♂️+ 👮‍♀️+ 🕵️+ 🕵️‍♂️+ 🕵️‍♀️+ 💂+ 💂‍♂️+ 💂‍♀️+ 🥷+ 👷+ 👷‍♂️+ 👷‍♀️+ 🫅+ 🤴+ 👸+ 👳+ 👳‍♂️+ 👳‍♀️+ 👲+ 🧕+ 🤵+ 🤵‍♂️+ 🤵‍♀️+ 👰+ 👰‍♂️+
👰‍♀️+ 🤰+ 🫃+ 🫄+ 🤱+ 👩‍🍼+ 👨‍🍼+ 🧑‍🍼+ 👼+ 🎅+ 🤶+ 🧑‍🎄+ 🦸+ 🦸‍♂️+ 🦸‍♀️+ 🦹+ 🦹‍♂️+ 🦹‍♀️+ 🧙+ 🧙‍♂️+ 🧙‍♀️+ 🧚+ 🧚‍♂️+ 🧚‍♀️+ 🧛+ 🧛‍♂️+
🧛‍♀️+ 🧜+ 🧜‍♂️+ 🧜‍♀️+ 🧝+ 🧝‍♂️+ 🧝‍♀️+ 🧞 🧞‍♂️ 🧞‍♀️ 🧟 🧟‍♂️ 🧟‍♀️ 🧌 💆+ 💆‍♂️+ 💆‍♀️+ 💇+ 💇‍♂️+ 💇‍♀️+ 🚶+ 🚶‍♂️+ 🚶‍♀️+ 🧍+ 🧍‍♂️+
🧍‍♀️+ 🧎+ 🧎‍♂️+ 🧎‍♀️+ 🧑‍🦯+ 👨‍🦯+ 👩‍🦯+ 🧑‍🦼+ 👨‍🦼+ 👩‍🦼+ 🧑‍🦽+ 👨‍🦽+ 👩‍🦽+ 🏃+ 🏃‍♂️+ 🏃‍♀️+ 💃+ 🕺+ 🕴️+ 👯 👯‍♂️ 👯‍♀️ 🧖+ 🧖‍♂️+
🧖‍♀️+ 🧗+ 🧗‍♂️+ 🧗‍♀️+ 🤺 🏇+ ⛷️ 🏂+ 🏌️+ 🏌️‍♂️+ 🏌️‍♀️+ 🏄+ 🏄‍♂️+ 🏄‍♀️+ 🚣+ 🚣‍♂️+ 🚣‍♀️+ 🏊+ 🏊‍♂️+ 🏊‍♀️+ ⛹️+ ⛹️‍♂️+ ⛹️‍♀️+ 🏋️+
🏋️‍♂️+ 🏋️‍♀️+ 🚴+ 🚴‍♂️+ 🚴‍♀️+ 🚵+ 🚵‍♂️+ 🚵‍♀️+ 🤸+ 🤸‍♂️+ 🤸‍♀️+ 🤼 🤼‍♂️ 🤼‍♀️ 🤽+ 🤽‍♂️+ 🤽‍♀️+ 🤾+ 🤾‍♂️+ 🤾‍♀️+ 🤹+ 🤹‍♂️+ 🤹‍♀️+
🧘+ 🧘‍♂️+ 🧘‍♀️+ 🛀+ 🛌+ 🧑‍🤝‍🧑+ 👭+ 👫+ 👬+ 💏+ 👩‍❤️‍💋‍👨+ 👨‍❤️‍💋‍👨+ 👩‍❤️‍💋‍👩+ 💑+ 👩‍❤️‍👨+ 👨‍❤️‍👨+ 👩‍❤️‍👩+ 👪 👨‍👩‍👦 👨‍👩‍👧
👨‍👩‍👧‍👦 👨‍👩‍👦‍👦 👨‍👩‍👧‍👧 👨‍👨‍👦 👨‍👨‍👧 👨‍👨‍👧‍👦 👨‍👨‍👦‍👦 👨‍👨‍👧‍👧 👩‍👩‍👦 👩‍👩‍👧 👩‍👩‍👧‍👦 👩‍👩‍👦‍👦 👩‍👩‍👧‍👧 👨‍👦 👨‍👦‍👦 👨‍👧 👨‍👧‍👦
👨‍👧‍👧 👩‍👦 👩‍👦‍👦 👩‍👧 👩‍👧‍👦 👩‍👧‍👧 🗣️ 👤 👥 🫂 👣`,nature:`
🐵 🐒 🦍 🦧 🐶 🐕 🦮 🐕‍🦺 🐩 🐺 🦊 🦝 🐱 🐈 🐈‍⬛ 🦁 🐯 🐅 🐆 🐴 🐎 🦄 🦓 🦌 🦬 🐮 🐂 🐃 🐄 🐷 🐖 🐗 🐽 🐏 🐑 🐐 🐪 🐫 🦙 🦒 🐘 🦣 🦏 🦛 🐭 🐁 🐀 🐹 🐰 🐇 🐿️ 🦫 🦔 🦇 🐻
🐻‍❄️ 🐨 🐼 🦥 🦦 🦨 🦘 🦡 🐾 🦃 🐔 🐓 🐣 🐤 🐥 🐦 🐧 🕊️ 🦅 🦆 🦢 🦉 🦤 🪶 🦩 🦚 🦜 🐸 🐊 🐢 🦎 🐍 🐲 🐉 🦕 🦖 🐳 🐋 🐬 🦭 🐟 🐠 🐡 🦈 🐙 🐚 🪸 🐌 🦋 🐛 🐜 🐝 🪲 🐞 🦗 🪳
🕷️ 🕸️ 🦂 🦟 🪰 🪱 🦠 💐 🌸 💮 🪷 🏵️ 🌹 🥀 🌺 🌻 🌼 🌷 🌱 🪴 🌲 🌳 🌴 🌵 🌾 🌿 ☘️ 🍀 🍁 🍂 🍃 🪹 🪺 🍄`,food:`
🍇 🍈 🍉 🍊 🍋 🍌 🍍 🥭 🍎 🍏 🍐 🍑 🍒 🍓 🫐 🥝 🍅 🫒 🥥 🥑 🍆 🥔 🥕 🌽 🌶️ 🫑 🥒 🥬 🥦 🧄 🧅 🥜 🫘 🌰 🍞 🥐 🥖 🫓 🥨 🥯 🥞 🧇 🧀 🍖 🍗 🥩 🥓 🍔 🍟 🍕 🌭 🥪 🌮 🌯 🫔 🥙 🧆 🥚
🍳 🥘 🍲 🫕 🥣 🥗 🍿 🧈 🧂 🥫 🍱 🍘 🍙 🍚 🍛 🍜 🍝 🍠 🍢 🍣 🍤 🍥 🥮 🍡 🥟 🥠 🥡 🦀 🦞 🦐 🦑 🦪 🍦 🍧 🍨 🍩 🍪 🎂 🍰 🧁 🥧 🍫 🍬 🍭 🍮 🍯 🍼 🥛 ☕ 🫖 🍵 🍶 🍾 🍷 🍸 🍹 🍺 🍻
🥂 🥃 🫗 🥤 🧋 🧃 🧉 🧊 🥢 🍽️ 🍴 🥄 🔪 🫙 🏺`,travel:`
🌍 🌎 🌏 🌐 🗺️ 🗾 🧭 🏔️ ⛰️ 🌋 🗻 🏕️ 🏖️ 🏜️ 🏝️ 🏞️ 🏟️ 🏛️ 🏗️ 🧱 🪨 🪵 🛖 🏘️ 🏚️ 🏠 🏡 🏢 🏣 🏤 🏥 🏦 🏨 🏩 🏪 🏫 🏬 🏭 🏯 🏰 💒 🗼 🗽 ⛪ 🕌 🛕 🕍 ⛩️ 🕋 ⛲ ⛺
🌁 🌃 🏙️ 🌄 🌅 🌆 🌇 🌉 ♨️ 🎠 🛝 🎡 🎢 💈 🎪 🚂 🚃 🚄 🚅 🚆 🚇 🚈 🚉 🚊 🚝 🚞 🚋 🚌 🚍 🚎 🚐 🚑 🚒 🚓 🚔 🚕 🚖 🚗 🚘 🚙 🛻 🚚 🚛 🚜 🏎️ 🏍️ 🛵 🦽 🦼 🛺 🚲 🛴 🛹 🛼 🚏 🛣️
🛤️ 🛢️ ⛽ 🛞 🚨 🚥 🚦 🛑 🚧 ⚓ 🛟 ⛵ 🛶 🚤 🛳️ ⛴️ 🛥️ 🚢 ✈️ 🛩️ 🛫 🛬 🪂 💺 🚁 🚟 🚠 🚡 🛰️ 🚀 🛸 🛎️ 🧳 ⌛ ⏳ ⌚ ⏰ ⏱️ ⏲️ 🕰️ 🕛 🕧 🕐 🕜 🕑 🕝 🕒 🕞 🕓 🕟 🕔 🕠
🕕 🕡 🕖 🕢 🕗 🕣 🕘 🕤 🕙 🕥 🕚 🕦 🌑 🌒 🌓 🌔 🌕 🌖 🌗 🌘 🌙 🌚 🌛 🌜 🌡️ ☀️ 🌝 🌞 🪐 ⭐ 🌟 🌠 🌌 ☁️ ⛅ ⛈️ 🌤️ 🌥️ 🌦️ 🌧️ 🌨️ 🌩️ 🌪️ 🌫️ 🌬️ 🌀 🌈 🌂 ☂️ ☔ ⛱️
⚡ ❄️ ☃️ ⛄ ☄️ 🔥 💧 🌊`,activities:`
🎃 🎄 🎆 🎇 🧨 ✨ 🎈 🎉 🎊 🎋 🎍 🎎 🎏 🎐 🎑 🧧 🎀 🎁 🎗️ 🎟️ 🎫 🎖️ 🏆 🏅 🥇 🥈 🥉 ⚽ ⚾ 🥎 🏀 🏐 🏈 🏉 🎾 🥏 🎳 🏏 🏑 🏒 🥍 🏓 🏸 🥊 🥋 🥅 ⛳ ⛸️ 🎣 🤿 🎽 🎿 🛷 🥌 🎯 🪀
🪁 🔫 🎱 🔮 🪄 🎮 🕹️ 🎰 🎲 🧩 🧸 🪅 🪩 🪆 ♠️ ♥️ ♦️ ♣️ ♟️ 🃏 🀄 🎴 🎭 🖼️ 🎨 🧵 🪡 🧶 🪢`,objects:`
👓 🕶️ 🥽 🥼 🦺 👔 👕 👖 🧣 🧤 🧥 🧦 👗 👘 🥻 🩱 🩲 🩳 👙 👚 👛 👜 👝 🛍️ 🎒 🩴 👞 👟 🥾 🥿 👠 👡 🩰 👢 👑 👒 🎩 🎓 🧢 🪖 ⛑️ 📿 💄 💍 💎 🔇 🔈 🔉 🔊 📢 📣 📯 🔔 🔕 🎼 🎵 🎶
🎙️ 🎚️ 🎛️ 🎤 🎧 📻 🎷 🪗 🎸 🎹 🎺 🎻 🪕 🥁 🪘 📱 📲 ☎️ 📞 📟 📠 🔋 🪫 🔌 💻 🖥️ 🖨️ ⌨️ 🖱️ 🖲️ 💽 💾 💿 📀 🧮 🎥 🎞️ 📽️ 🎬 📺 📷 📸 📹 📼 🔍 🔎 🕯️ 💡 🔦 🏮 🪔 📔
📕 📖 📗 📘 📙 📚 📓 📒 📃 📜 📄 📰 🗞️ 📑 🔖 🏷️ 💰 🪙 💴 💵 💶 💷 💸 💳 🧾 💹 ✉️ 📧 📨 📩 📤 📥 📦 📫 📪 📬 📭 📮 🗳️ ✏️ ✒️ 🖋️ 🖊️ 🖌️ 🖍️ 📝 💼 📁 📂 🗂️ 📅 📆
🗒️ 🗓️ 📇 📈 📉 📊 📋 📌 📍 📎 🖇️ 📏 📐 ✂️ 🗃️ 🗄️ 🗑️ 🔒 🔓 🔏 🔐 🔑 🗝️ 🔨 🪓 ⛏️ ⚒️ 🛠️ 🗡️ ⚔️ 💣 🪃 🏹 🛡️ 🪚 🔧 🪛 🔩 ⚙️ 🗜️ ⚖️ 🦯 🔗 ⛓️ 🪝 🧰 🧲 🪜 ⚗️
🧪 🧫 🧬 🔬 🔭 📡 💉 🩸 💊 🩹 🩼 🩺 🩻 🚪 🛗 🪞 🪟 🛏️ 🛋️ 🪑 🚽 🪠 🚿 🛁 🪤 🪒 🧴 🧷 🧹 🧺 🧻 🪣 🧼 🫧 🪥 🧽 🧯 🛒 🚬 ⚰️ 🪦 ⚱️ 🧿 🪬 🗿 🪧 🪪`,symbols:`
🏧 🚮 🚰 ♿ 🚹 🚺 🚻 🚼 🚾 🛂 🛃 🛄 🛅 ⚠️ 🚸 ⛔ 🚫 🚳 🚭 🚯 🚱 🚷 📵 🔞 ☢️ ☣️ ⬆️ ↗️ ➡️ ↘️ ⬇️ ↙️ ⬅️ ↖️ ↕️ ↔️ ↩️ ↪️ ⤴️ ⤵️ 🔃 🔄 🔙 🔚 🔛 🔜 🔝 🛐 ⚛️
🕉️ ✡️ ☸️ ☯️ ✝️ ☦️ ☪️ ☮️ 🕎 🔯 ♈ ♉ ♊ ♋ ♌ ♍ ♎ ♏ ♐ ♑ ♒ ♓ ⛎ 🔀 🔁 🔂 ▶️ ⏩ ⏭️ ⏯️ ◀️ ⏪ ⏮️ 🔼 ⏫ 🔽 ⏬ ⏸️ ⏹️ ⏺️ ⏏️ 🎦 🔅 🔆 📶 📳 📴 ♀️ ♂️
⚧️ ✖️ ➕ ➖ ➗ 🟰 ♾️ ‼️ ⁉️ ❓ ❔ ❕ ❗ 〰️ 💱 💲 ⚕️ ♻️ ⚜️ 🔱 📛 🔰 ⭕ ✅ ☑️ ✔️ ❌ ❎ ➰ ➿ 〽️ ✳️ ✴️ ❇️ ©️ ®️ ™️ #️⃣ *️⃣ 0️⃣ 1️⃣ 2️⃣ 3️⃣
4️⃣ 5️⃣ 6️⃣ 7️⃣ 8️⃣ 9️⃣ 🔟 🔠 🔡 🔢 🔣 🔤 🅰️ 🆎 🅱️ 🆑 🆒 🆓 ℹ️ 🆔 Ⓜ️ 🆕 🆖 🅾️ 🆗 🅿️ 🆘 🆙 🆚 🈁 🈂️ 🈷️ 🈶 🈯 🉐 🈹 🈚 🈲 🉑 🈸 🈴 🈳 ㊗️ ㊙️ 🈺 🈵 🔴
🟠 🟡 🟢 🔵 🟣 🟤 ⚫ ⚪ 🟥 🟧 🟨 🟩 🟦 🟪 🟫 ⬛ ⬜ ◼️ ◻️ ◾ ◽ ▪️ ▫️ 🔶 🔷 🔸 🔹 🔺 🔻 💠 🔘 🔳 🔲`,flags:`
🏁 🚩 🎌 🏴 🏳️ 🏳️‍🌈 🏳️‍⚧️ 🏴‍☠️ 🇦🇨 🇦🇩 🇦🇪 🇦🇫 🇦🇬 🇦🇮 🇦🇱 🇦🇲 🇦🇴 🇦🇶 🇦🇷 🇦🇸 🇦🇹 🇦🇺 🇦🇼 🇦🇽 🇦🇿 🇧🇦 🇧🇧 🇧🇩 🇧🇪 🇧🇫 🇧🇬 🇧🇭 🇧🇮 🇧🇯 🇧🇱 🇧🇲 🇧🇳 🇧🇴
🇧🇶 🇧🇷 🇧🇸 🇧🇹 🇧🇻 🇧🇼 🇧🇾 🇧🇿 🇨🇦 🇨🇨 🇨🇩 🇨🇫 🇨🇬 🇨🇭 🇨🇮 🇨🇰 🇨🇱 🇨🇲 🇨🇳 🇨🇴 🇨🇵 🇨🇷 🇨🇺 🇨🇻 🇨🇼 🇨🇽 🇨🇾 🇨🇿 🇩🇪 🇩🇬 🇩🇯 🇩🇰 🇩🇲 🇩🇴 🇩🇿 🇪🇦 🇪🇨 🇪🇪 🇪🇬
🇪🇭 🇪🇷 🇪🇸 🇪🇹 🇪🇺 🇫🇮 🇫🇯 🇫🇰 🇫🇲 🇫🇴 🇫🇷 🇬🇦 🇬🇧 🇬🇩 🇬🇪 🇬🇫 🇬🇬 🇬🇭 🇬🇮 🇬🇱 🇬🇲 🇬🇳 🇬🇵 🇬🇶 🇬🇷 🇬🇸 🇬🇹 🇬🇺 🇬🇼 🇬🇾 🇭🇰 🇭🇲 🇭🇳 🇭🇷 🇭🇹 🇭🇺 🇮🇨 🇮🇩 🇮🇪
🇮🇱 🇮🇲 🇮🇳 🇮🇴 🇮🇶 🇮🇷 🇮🇸 🇮🇹 🇯🇪 🇯🇲 🇯🇴 🇯🇵 🇰🇪 🇰🇬 🇰🇭 🇰🇮 🇰🇲 🇰🇳 🇰🇵 🇰🇷 🇰🇼 🇰🇾 🇰🇿 🇱🇦 🇱🇧 🇱🇨 🇱🇮 🇱🇰 🇱🇷 🇱🇸 🇱🇹 🇱🇺 🇱🇻 🇱🇾 🇲🇦 🇲🇨 🇲🇩 🇲🇪 🇲🇫
🇲🇬 🇲🇭 🇲🇰 🇲🇱 🇲🇲 🇲🇳 🇲🇴 🇲🇵 🇲🇶 🇲🇷 🇲🇸 🇲🇹 🇲🇺 🇲🇻 🇲🇼 🇲🇽 🇲🇾 🇲🇿 🇳🇦 🇳🇨 🇳🇪 🇳🇫 🇳🇬 🇳🇮 🇳🇱 🇳🇴 🇳🇵 🇳🇷 🇳🇺 🇳🇿 🇴🇲 🇵🇦 🇵🇪 🇵🇫 🇵🇬 🇵🇭 🇵🇰 🇵🇱 🇵🇲
🇵🇳 🇵🇷 🇵🇸 🇵🇹 🇵🇼 🇵🇾 🇶🇦 🇷🇪 🇷🇴 🇷🇸 🇷🇺 🇷🇼 🇸🇦 🇸🇧 🇸🇨 🇸🇩 🇸🇪 🇸🇬 🇸🇭 🇸🇮 🇸🇯 🇸🇰 🇸🇱 🇸🇲 🇸🇳 🇸🇴 🇸🇷 🇸🇸 🇸🇹 🇸🇻 🇸🇽 🇸🇾 🇸🇿 🇹🇦 🇹🇨 🇹🇩 🇹🇫 🇹🇬 🇹🇭
🇹🇯 🇹🇰 🇹🇱 🇹🇲 🇹🇳 🇹🇴 🇹🇷 🇹🇹 🇹🇻 🇹🇼 🇹🇿 🇺🇦 🇺🇬 🇺🇲 🇺🇳 🇺🇸 🇺🇾 🇺🇿 🇻🇦 🇻🇨 🇻🇪 🇻🇬 🇻🇮 🇻🇳 🇻🇺 🇼🇫 🇼🇸 🇽🇰 🇾🇪 🇾🇹 🇿🇦 🇿🇲 🇿🇼 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿
🏴󠁧󠁢󠁷󠁬󠁳󠁿`};var g="roost-emoji-tone",O="🤝",x="‍",B=["","🏻","🏼","🏽","🏾","🏿"],T={smileys:{key:"emoji.smileys",icon:"😀"},people:{key:"emoji.people",icon:"👋"},nature:{key:"emoji.nature",icon:"🌿"},food:{key:"emoji.food",icon:"☕"},travel:{key:"emoji.travel",icon:"✈️"},activities:{key:"emoji.activities",icon:"⚽"},objects:{key:"emoji.objects",icon:"💡"},symbols:{key:"emoji.symbols",icon:"❤️"},flags:{key:"emoji.flags",icon:"🏁"}},b={en:()=>import("./emoji-names-en-IG65BHLV.js"),de:()=>import("./emoji-names-de-DVP7G3KU.js"),"zh-Hant":()=>import("./emoji-names-zh-hant-GW3NB5DO.js"),ko:()=>import("./emoji-names-ko-3T3PDLHF.js"),ar:()=>import("./emoji-names-ar-BHNR6CEV.js")},M=e=>e.toLowerCase().normalize("NFKD").replace(/\p{M}/gu,""),j=e=>M(e).split(/[\s_-]+/).filter(Boolean),v=new Map;async function $(e){let r=v.get(e);if(r)return r;let o=async m=>(await b[m]()).names.split(/[|\n]/).filter(Boolean),c=e!=="en"&&Object.hasOwn(b,e),[p,s]=await Promise.all([o("en"),c?o(e):[]]).catch(()=>[[],[]]),l=E(p,s);return l.hasNames&&v.set(e,l),l}function E(e,r){let o=-1,c=_(),s=Object.keys(y).map(n=>({...T[n],emoji:y[n].trim().split(/\s/).map(i=>{o+=1;let t=i.replace("+",""),a=[r[o],e[o]].filter(Boolean).map(f=>f.split("~")),[k=t]=a[0]??[];return{emoji:t,name:k,words:a.map(([f,d=""])=>[f,d]),hasTone:t!==i}}).filter(({emoji:i})=>c(i))})),l=s.flatMap(({emoji:n})=>n),m=new Map,u=n=>{let i=m.get(n);return i||(i=n.words.map(([t,a])=>({name:j(t).join(" "),inName:j(t),more:M(a).split(" ").filter(Boolean)})),m.set(n,i)),i};return{groups:s,all:l,hasNames:e.length>0,find(n){let i=j(n);return i.length?l.map((t,a)=>({each:t,at:a,rank:W(u(t),i)})).filter(t=>t.rank<9).sort((t,a)=>t.rank-a.rank||t.at-a.at).map(({each:t})=>t):[]},exact(n){let i=j(n),t=a=>u(a).some(({inName:k,more:f})=>i.every(d=>k.includes(d)||f.includes(d)));return this.find(n).find(t)}}}var W=(e,r)=>Math.min(...e.map(({name:o,inName:c,more:p})=>{let s=r.join(" "),l=m=>r.every(u=>m.some(n=>n.startsWith(u)));return o===s?0:c.includes(s)||p.includes(s)?1:o.startsWith(s)?2:l(c)?3:l([...c,...p])?4:s.length>2&&`${o} ${p.join(" ")}`.includes(s)?5:9}),9);function _(){let e=document.createElement("canvas").getContext("2d");if(!e)return()=>!0;e.font="20px sans-serif";let r=e.measureText("😀").width;return o=>[...o].length<2||e.measureText(o).width<r*1.5}function F({emoji:e,hasTone:r},o=z()){return!r||!o?e:e.split(x).map((c,p)=>{let[s]=c;return/^\p{Emoji_Modifier_Base}/u.test(c)&&!(p&&s===O)?s+o:c}).join(x)}var H=e=>e.replace(/[🏻-🏿\ufe0f]/gu,"");function z(){let e=h(g)??"";return B.includes(e)?e:""}var L=e=>w(g,e);export{L as keepTone,z as keptTone,$ as loadEmoji,H as plain,F as toned,B as tones};
/*!
The emoji and their names are from the Unicode Character Database and the Unicode Common Locale Data Repository.

Copyright © 1991-2022 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in
https://www.unicode.org/copyright.html.

Permission is hereby granted, free of charge, to any person obtaining a copy of the Unicode data files and any
associated documentation (the "Data Files") or Unicode software and any associated documentation (the "Software")
to deal in the Data Files or Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom
the Data Files or Software are furnished to do so, provided that either (a) this copyright and permission notice
appear with all copies of the Data Files or Software, or (b) this copyright and permission notice appear in
associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD
PARTY RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR
ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR
PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION
WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise
to promote the sale, use or other dealings in these Data Files or Software without prior written authorization of
the copyright holder.
*/
