import{a as h,b as w}from"./chunk-POWRDXUU.js";var k={smileys:`
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
🏴󠁧󠁢󠁷󠁬󠁳󠁿`};var g="roost-emoji-tone",W="🤝",x="‍",_=["","🏻","🏼","🏽","🏾","🏿"],z={smileys:{key:"emoji.smileys",icon:"😀"},people:{key:"emoji.people",icon:"👋"},nature:{key:"emoji.nature",icon:"🌿"},food:{key:"emoji.food",icon:"☕"},travel:{key:"emoji.travel",icon:"✈️"},activities:{key:"emoji.activities",icon:"⚽"},objects:{key:"emoji.objects",icon:"💡"},symbols:{key:"emoji.symbols",icon:"❤️"},flags:{key:"emoji.flags",icon:"🏁"}},b={en:()=>import("./emoji-names-en-IG65BHLV.js"),de:()=>import("./emoji-names-de-DVP7G3KU.js"),"zh-Hant":()=>import("./emoji-names-zh-hant-GW3NB5DO.js"),ko:()=>import("./emoji-names-ko-3T3PDLHF.js"),ar:()=>import("./emoji-names-ar-BHNR6CEV.js")},M=e=>e.toLowerCase().normalize("NFKD").replace(/\p{M}/gu,""),j=e=>M(e).split(/[\s_-]+/).filter(Boolean),v=new Map;async function H(e){let c=v.get(e);if(c)return c;let i=async d=>(await b[d]()).names.split(/[|\n]/).filter(Boolean),a=e!=="en"&&Object.hasOwn(b,e),[u,l]=await Promise.all([i("en"),a?i(e):[]]).catch(()=>[[],[]]),f=C(u,l);return f.hasNames&&v.set(e,f),f}function C(e,c){let i=-1,a=D(),l=Object.keys(k).map(n=>({...z[n],emoji:k[n].trim().split(/\s/).map(o=>{i+=1;let t=o.replace("+",""),s=[c[i],e[i]].filter(Boolean).map(r=>r.split("~")),[p=t]=s[0]??[];return{emoji:t,name:p,words:s.map(([r,m=""])=>[r,m]),hasTone:t!==o}}).filter(({emoji:o})=>a(o))})),f=l.flatMap(({emoji:n})=>n),d=new Map,y=n=>{let o=d.get(n);return o||(o=n.words.map(([t,s])=>({name:j(t).join(" "),inName:j(t),more:M(s).split(" ").filter(Boolean)})),d.set(n,o)),o},O=(n,o)=>Math.min(...y(n).map(({name:t,inName:s,more:p})=>{let r=o.join(" "),m=B=>o.every(T=>B.some(E=>E.startsWith(T)));return t===r?0:s.includes(r)||p.includes(r)?1:t.startsWith(r)?2:m(s)?3:m([...s,...p])?4:r.length>2&&`${t} ${p.join(" ")}`.includes(r)?5:9}),9);return{groups:l,all:f,hasNames:e.length>0,find(n){let o=j(n);return o.length?f.map((t,s)=>({each:t,at:s,rank:O(t,o)})).filter(t=>t.rank<9).sort((t,s)=>t.rank-s.rank||t.at-s.at).map(({each:t})=>t):[]},exact(n){let o=j(n),t=s=>y(s).some(({inName:p,more:r})=>o.every(m=>p.includes(m)||r.includes(m)));return this.find(n).find(t)}}}function D(){let e=document.createElement("canvas").getContext("2d");if(!e)return()=>!0;e.font="20px sans-serif";let c=e.measureText("😀").width;return i=>[...i].length<2||e.measureText(i).width<c*1.5}function L({emoji:e,hasTone:c},i=K()){return!c||!i?e:e.split(x).map((a,u)=>{let[l]=a;return/^\p{Emoji_Modifier_Base}/u.test(a)&&!(u&&l===W)?l+i:a}).join(x)}var P=e=>e.replace(/[🏻-🏿\ufe0f]/gu,"");function K(){let e=h(g)??"";return _.includes(e)?e:""}var q=e=>w(g,e);export{q as keepTone,K as keptTone,H as loadEmoji,P as plain,L as toned,_ as tones};
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
