import Foundation
import RoostCore
import RoostWire

/// Passwords that are guessed first.
enum WeakPasswords {
    /// Checks that a new password is not among those that are guessed first.
    ///
    /// These are common words, also with a number or marks after them, rows of keys, repetitions, white space, and what
    /// the user is called. Upper and lower case are the same.
    /// - Parameter names: what the user is called: the login name, the user id, the e-mail address.
    /// - Throws: `WireError` 6.
    static func check(_ password: String, of names: [String?]) throws(WireError) {
        guard isWeak(password, of: names.compactMap(\.self)) else { return }
        throw WireError(
            .dataFormat, field: "password",
            "\"password\" is one of those that are guessed first. Choose another one, such as four words.")
    }

    static func isWeak(_ password: String, of names: [String] = []) -> Bool {
        let text = LoginName.key(of: password)
        guard text.unicodeScalars.contains(where: isVisible) else { return true }
        let own = names.flatMap { name in
            let name = LoginName.key(of: name)
            return [name] + (name.firstIndex(of: "@").map { [String(name[..<$0])] } ?? [])
        }
        return own.contains(text) || isRepetition(text) || isRow(text) || isCommon(text)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.properties.isWhitespace, !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        return scalar.properties.generalCategory != .control
    }

    /// Whether up to four characters are repeated, such as `aaaaaaaa` and `12341234`.
    private static func isRepetition(_ text: String) -> Bool {
        let characters = Array(text)
        return (1...4).contains { length in
            characters.count > length && characters.indices.allSatisfy { characters[$0] == characters[$0 % length] }
        }
    }

    /// Whether the characters follow each other in the alphabet, in numbers or on a keyboard, in either direction.
    private static func isRow(_ text: String) -> Bool {
        let values = text.unicodeScalars.map { Int($0.value) }
        let steps = Set(zip(values, values.dropFirst()).map { $1 - $0 })
        return steps == [1] || steps == [-1]
            || rows.contains { $0.contains(text) || $0.contains(String(text.reversed())) }
    }

    private static let rows = [
        "12345678901234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm",
        "yxcvbnm",
    ]

    /// Whether it is a common word, with up to four digits and marks after it or with a row of digits.
    private static func isCommon(_ text: String) -> Bool {
        if isWord(text) { return true }
        let end = text.lastIndex { !$0.isNumber && !$0.isPunctuation && !$0.isSymbol }
        guard let end, isWord(String(text[...end])) else { return false }
        let tail = String(text[text.index(after: end)...])
        return tail.count <= 4 || isRepetition(tail) || isRow(tail)
    }

    private static func isWord(_ text: String) -> Bool {
        words.contains(text) || words.contains(String(text.map { letters[$0] ?? $0 }))
    }

    /// What stands for a letter in `p@ssw0rd`.
    private static let letters: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
    ]

    private static let words = Set(
        """
        00000000 007007 01234567 02468135 0987654321 11111111 11223344 1122334455 112233445566 12121212 123123123
        123321123 12341234 12344321 123454321 1234554321 123456654321 123456789 1234567890 1234567891 12345678910
        123456789a 12345678a 1234567a 123456a 1234abcd 1234asdf 1234qwer 123abc 13579246 135792468 147258 147258369
        159357 159753 1a2b3c4d 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 24681012
        27182818 2pac 31415926 314159265 321321321 5201314 741852963 789456123 87654321 963852741 987654321 99999999
        a123456 a1234567 a12345678 a123456789 a1b2c3d4 a1s2d3f4 aa123456 abc abc123 abcd abcd1234 abcde abcde12345
        abcdef access access14 acdc admin administrador administrator adobe agent007 aini1314 airforce alejandra
        alejandro alexander alexandra alexandre allah always amanda amazon america american amorcito amormio amour
        amsterdam anastasia andreas andrew android angel angelito angels anthony anything apple april argentina army
        arsenal asd asdasdasd asdf asdf1234 asdfasdf asdfg asdfgh asdfghjk asdfghjkl asdfjkl ashley assassin asshole
        audi august australia autumn avengers azerty azertyazerty azertyuiop baby babyboy babydoll babygirl ballet
        banana barbie barcelona bart baseball basketbal basketball batman bayern bear beast beatles bebita beer
        beijing benfica benjamin benvenuto berlin besiktas bestfriend bestfriends bienvenido bienvenue bilbo
        birthday bismillah bitch black blackie blahblah blessed blessing blink182 blue bmw boca bond007 bonita
        bonjour bonjour1 boss boston boxing brandon brasil brazil brittany broncos brother budweiser buenosdias
        bullshit bunny business butterflies butterfly california callofduty camaro canada candy captain carolina
        caroline cartman cat catherine cats catwoman change changeit changeme charles charlie cheese chelsea cherie
        cherry chevelle chevrolet chevy chicago china chiquita chocolate chouchou christ christian christina
        christine christmas christopher ciao cisco citroen claudia coffee college colombia company computer
        computers contrasena contraseña cookie cookies corazon corona correcthorse correcthorsebatterystaple
        corvette coucou counterstrike cowboys crystal cutie cutiepie daddy dallas dancer dancing daniel danielle
        danmark darkness database deadpool debian december default dell demo demon denmark destiny deutschland devil
        diamond diamonds digimon disney dmitriy doctor dodgers dog doggie doggy dolphin dolphins dominik donald
        donkey dortmund doudou dragon dragon1 dragonball dragons dreamer dreams ducati dupadupa eagle eagles easter
        ebay edcrfv ekaterina elephant elizabeth emerald eminem england espana everyone everything example facebook
        faith falcon familia familie family family1 fantasy father february federico fenerbahce fernanda fernando
        ferrari finland fire firebird firefighter fishing florian florida flower flowers football forever forever21
        fortnite fourfive france francesca francesco francisco freedom friday friend friends frodo fruehling fuckoff
        fuckyou fussball futbol gabriel gabriela gabriele galatasaray gamecube gandalf ganesh garfield geheim george
        germany giants giovanni giuseppe gmail godisgood godislove gold golden golf golfing google google1
        googlegoogle goose green greenday guest guitar guitarra hacker hacking hallo hallohallo halloween hamburg
        hamster hardcore hardware harley harleydavidson harmony haslo heaven heineken hell hello hello123 hellohello
        hellokitty helloworld herbst heslo hiphop hobbit hockey hola holiday holidays holland homer honda honey
        honeybee hope horse horses hostmaster hotmail houston hunter hunting hurricane ibrahim ice ichliebe
        ichliebedich ilikeyou ilovegod iloveher ilovehim ilovejesus iloveme ilovemom iloveu iloveyou iloveyou1
        iloveyou2 imissyou impossible india indonesia instagram intel internet invierno iphone ironmaiden ironman
        isabella istanbul italia italy jackdaniels jaguar jaimatadi jakarta jamesbond january japan jasmine jelszo
        jennifer jessica jesus jesuschrist jetaime joker jonathan jordan jordan23 joshua juergen july june justin
        juventus katherine kawasaki kiev killer kimberly king kingdom kitkat kitten kitty knight kochamcie korea
        krishna kristina lakers lakshmi lamborghini lasvegas ledzeppelin lemon lenovo leopard letmein letmein1
        letmeinnow liberty liebling lightning linkedin linkinpark linux lion liverpool lkjhgfdsa login logon london
        losangeles loulou love lovelove lovely loveme lover loverboy lovers loveyou lozinka lucifer madonna magic
        magical malaysia manager manchester manunited march margaret marine marines mario marlboro marseille martina
        maserati master mateusz matrix matthew matthias mausi maverick maximilian mazda megadeth mehmet melbourne
        melissa mercedes mercedesbenz metallica mexico michael michelle mickey mickeymouse microsoft midnight milano
        military mima minecraft minnie miracle misiek mission mnbvcxz mohammed mommy monday monkey monkeys monster
        montreal moonlight moscow moskva motdepasse motdepasse1 mother motherfucker motorola muenchen muhammad
        mumbai music musica mustafa mustang mylove mypass mypassword mysecret myspace mystery namaste napoli naruto
        nascar natalia natalie natasha nathan navy nederland netflix network newpassword newyork newyorkcity
        nicholas nicolas nicole nightmare ninja nintendo nirvana nissan nobody nokia noone nopassword norge norway
        nothing november number number1 numberone nurse october office oldpassword one1two2 onetwothree
        onetwothreefour opel opensesame openup operator oracle orange pa55word packers pantera panther paris parola
        parool pass passcode passe passord passphrase passw passwd password password1 passwordpassword passwort
        patricia patrick patriots paypal peace peaches personal peugeot philippines phoenix piano pikachu pineapple
        pinkfloyd pizza platinum playboy playstation poiuytre poiuytrewq pokemon poland police polska polska1 pony
        popstar porsche porto postmaster preciosa predator primavera prince princesa princess prinzessin private
        puppy purple q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazwsx qazwsxedc queen qwaszx qwaszxerdf qwe qweasd
        qweasdzxc qweqweqwe qwer1234 qwerasdf qwert qwerty qwerty12 qwertyqwerty qwertyui qwertyuiop qwertz
        qwertzuiop rabbit rachel racing raiders rainbow realmadrid rebecca redsox renault ricardo richard river
        robert roberto roblox rocknroll rockstar roma root rose runner running russia sabine sairam salasana
        samantha sample samsung samuel samurai sapphire sasuke satan saturday schalke schatz schatzi school schule
        scooby scoobydoo sebastian secret secreto secretpassword segreto senha seoul september serenity server
        service sesame sexy sexyboy sexygirl shadow shark sifre signin silver simpsons singapore singer sister
        sixseven skateboard slipknot sniper snoopy snow snowball snowboard snowflake snowman soccer softball
        software soldier soleil someone something sommer sonic sony southpark spain spiderman sponge spongebob
        spring star starcraft stargate starlight startrek starwars steelers stefanie stephanie storm strawberry
        student subaru sugar summer sunday sunflower sunset sunshine suomi superman superstar superuser surfing
        susanne suzuki sverige svetlana sweden sweetheart sweetie sweety swimmer swimming sydney sysadmin system
        tatiana teacher teamo teddybear telegram temp temporary temppass tennis tequiero tequila terminator test
        tester testing testtest testuser tetris texas thepassword thomas thunder thursday tiamo tiger tigers tigger
        tinkerbell tobias together tokyo toor topgun topsecret tornado toronto toshiba toyota trinity truelove trust
        trustno1 tuesday tupac turkey turtle twitter ubuntu ukraine unicorn university unknown user username
        valentina valeria vampire vanessa verano veronica victoria vladimir vodka volcano volkswagen volleyball
        wachtwoord warcraft warrior webmaster wednesday weekend weihnachten welcome welcomeback whale whatever
        whatsapp whatsup whatthe whiskey whisky white william willkommen windows windowsxp wine winnie winter woaini
        woaini1314 woaini520 wolfgang wolverine work worker wsxedc xbox xsw2zaq1 yahoo yamaha yankees yellow
        yourpassword youtube yxcvbnm zaq1 zaq12wsx zaq1zaq1 zaqwsx zelda zombie zxc zxcv zxcv1234 zxcvb zxcvbn
        zxcvbnm zxcvbnm1 zxczxczxc
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
