var e=`
grinsendes Gesicht~lol lustig|grinsendes Gesicht mit großen Augen~lächeln lol lustig
grinsendes Gesicht mit lachenden Augen~lol lustig|strahlendes Gesicht mit lachenden Augen~lustig zähne
Grinsegesicht mit zugekniffenen Augen~geschlossene grinsendes zusammengekniffenen offener mund
grinsendes Gesicht mit Schweißtropfen~lustig schwitzen|sich vor Lachen auf dem Boden wälzen~gesicht
Gesicht mit Freudentränen~lachen|leicht lächelndes Gesicht|umgekehrtes Gesicht~auf dem kopf stehen
schmelzendes Gesicht~auflösen flüssig verschwinden|zwinkerndes Gesicht
lächelndes Gesicht mit lachenden Augen~erröten freude rote wangen|lächelndes Gesicht mit Heiligenschein
lächelndes Gesicht mit Herzen~anhimmeln verknallt verliebt|lächelndes Gesicht mit herzförmigen Augen~verliebt
überwältigt~augen gesicht grinsen stern|Kuss zuwerfendes Gesicht|küssendes Gesicht~kuss|lächelndes Gesicht~fröhlich
küssendes Gesicht mit geschlossenen Augen~rote wangen|küssendes Gesicht mit lächelnden Augen~kuss
lachendes Gesicht mit Träne~berührt dankbar erleichtert lächelnd stolz
sich die Lippen leckendes Gesicht~lecker leckeres essen|Gesicht mit herausgestreckter Zunge
zwinkerndes Gesicht mit herausgestreckter Zunge|irres Gesicht~auge groß klein
Gesicht mit herausgestreckter Zunge und zusammengekniffenen Augen|Gesicht mit Dollarzeichen~geld zunge
Gesicht mit umarmenden Händen~umarmung|verlegen kicherndes Gesicht~huch
Gesicht mit offenen Augen und Hand über dem Mund~erschrecken erstaunen furcht überraschung unglauben
Gesicht mit durch die Finger linsendem Auge~gebannt spähen starren|ermahnendes Gesicht~leise pst
nachdenkendes Gesicht~nachdenklich|grüßendes Gesicht~aye jawohl militär ok respekt salutieren
Gesicht mit Reißverschlussmund|Gesicht mit hochgezogenen Augenbrauen~argwöhnisch skeptisch
neutrales Gesicht~kein kommentar|ausdrucksloses Gesicht~kein kommentar|Gesicht ohne Mund~kein sprachlos
Gesicht mit gestrichelter Linie~depressiv introvertiert unsichtbar verschwinden verstecken|Gesicht in Wolken
süffisant lächelndes Gesicht|verstimmtes Gesicht~unglücklich|Augen verdrehendes Gesicht
Grimassen schneidendes Gesicht~zähne|Gesicht, das ausatmet|lügendes Gesicht~pinocchio-nase
erleichtertes Gesicht~geschlossene augen|nachdenkliches Gesicht|schläfriges Gesicht~müde|sabberndes Gesicht
schlafendes Gesicht~schnarchen zzz|Gesicht mit Atemschutzmaske~arzt krankheit|Gesicht mit Fieberthermometer~krank
Gesicht mit Kopfverband~schmerzen verletzung|würgendes Gesicht~erbrechen übelkeit|kotzendes Gesicht~krank
niesendes Gesicht|schwitzendes Gesicht~erhitzt fieber heiß hitzschlag|frierendes Gesicht~eiszapfen frostbeule kalt
schwindeliges Gesicht~angetrunken beschwipst betrunken|benommenes Gesicht|Gesicht mit Spiralen als Augen
explodierender Kopf~entsetzt geschockt|Gesicht mit Cowboyhut|Partygesicht~feiern
verkleidet~brille mit nase inkognito verkleidetes gesicht verkleidung|lächelndes Gesicht mit Sonnenbrille~cool
Strebergesicht~nerd|Gesicht mit Monokel|verwundertes Gesicht
Gesicht mit schrägem Mund~enttäuscht langweilig na ja skeptisch unsicher|besorgtes Gesicht|betrübtes Gesicht~traurig
düsteres Gesicht~traurig|Gesicht mit offenem Mund~erstaunt offener|verdutztes Gesicht~erstaunt sprachlos
erstauntes Gesicht|errötetes Gesicht mit großen Augen~rote wangen überrascht|bettelndes Gesicht~gnade welpenaugen
Gesicht, das Tränen zurückhält~aufgebracht erbost zurückhalten traurig weinen
entsetztes Gesicht~offener mund verwundert|qualvolles Gesicht~leidend|ängstliches Gesicht
besorgtes Gesicht mit Schweißtropfen~kalter offener mund|trauriges aber erleichtertes Gesicht~enttäuscht schweiß
weinendes Gesicht~träne traurig|heulendes Gesicht~tränen traurig|vor Angst schreiendes Gesicht|verwirrtes Gesicht
entschlossenes Gesicht~durchhalten|enttäuschtes Gesicht~traurig|bedrücktes Gesicht mit Schweiß~angstschweiß
erschöpftes Gesicht~müde|müdes Gesicht|gähnendes Gesicht~gelangweilt müde|schnaubendes Gesicht~erleichtert gewonnen
schmollendes Gesicht~rot wütend|verärgertes Gesicht|Gesicht mit Symbolen über dem Mund~fluchen
grinsendes Gesicht mit Hörnern~teufel|wütendes Gesicht mit Hörnern~fantasy teufelchen|Totenkopf~gesicht tod
Totenkopf mit gekreuzten Knochen~gesicht piratenflagge tod|Kothaufen~mist|Clown-Gesicht
Ungeheuer~gesicht japan märchen monster|Kobold~gesicht japan märchen monster tengu|Gespenst~fantasy gesicht märchen
Außerirdischer~alien gesicht ufo|Computerspiel-Monster~gesicht ufo|Roboter~gesicht monster roboterkopf
grinsende Katze~gesicht grinsendes katzengesicht lol lustig
grinsende Katze mit lachenden Augen~gesicht grinsendes katzengesicht
Katze mit Freudentränen~gesicht katzengesicht lachen
lachende Katze mit Herzen als Augen~gesicht lachendes katzengesicht verliebt
verwegen lächelnde Katze~gesicht ironisch lächelndes katzengesicht
küssende Katze~gesicht küssendes katzengesicht rote wangen
erschöpfte Katze~angst erschöpftes katzengesicht gesicht schreien
weinende Katze~gesicht träne traurig weinendes katzengesicht
schmollende Katze~gesicht schmollendes katzengesicht verärgert
sich die Augen zuhaltendes Affengesicht~nichts sehen verboten
sich die Ohren zuhaltendes Affengesicht~nichts hören verboten
sich den Mund zuhaltendes Affengesicht~nichts sagen verboten|Liebesbrief~herz|Herz mit Pfeil~liebe
Herz mit Schleife~valentinstag|funkelndes Herz~aufregung liebe|wachsendes Herz~aufregung liebe nervosität
schlagendes Herz~liebe|kreisende Herzen~liebe|zwei Herzen~liebe|Herzdekoration|Herz als Ausrufezeichen~satzzeichen
gebrochenes Herz~schmerz trennung|Herz in Flammen|Herz mit Verband|rotes Herz|oranges Herz|gelbes Herz|grünes Herz
blaues Herz|lila Herz|braunes Herz|schwarzes Herz~böse|weißes Herz|Kussabdruck~lippen
100 Punkte~punktestand volle punktzahl|Ärger~comic wut|Zusammenstoß~comic kollision
schwindlig~benommenheit comic stern sterne sehen|Schweißtropfen~comic|Staubwolke~comic rennen weglaufen|Loch~schwarz
Sprechblase mit drei Punkten~dialog gespräch unterhaltung|Auge in Sprechblase~dialog reden sprechen
Sprechblase links~dialog reden sprechen unterhaltung|Sprechblase für wütende Aussage rechts
Gedankenblase~comic nachdenken|Schlafen~comic schnarchen zzz|winkende Hand
erhobene Hand von hinten~erhobener handrücken|Hand mit gespreizten Fingern~5 fünf|erhobene Hand
vulkanischer Gruß~lebe lang und in frieden spock spreizen star trek|nach rechts weisende Hand
nach links weisende Hand
Hand mit Handfläche nach unten~abweisen handgeste hau ab scheuchen von sich weisen wegscheuchen wegschicken
Hand mit Handfläche nach oben~anbieten bieten darbieten einladen handgeste kommen locken
OK-Zeichen~exzellent hand in ordnung perfekt
zusammengedrückte Finger~bündelhand geht noch? handgeste was soll das? willst du? zusammengelegte fingerspitzen
Wenig-Geste~klein kleine menge kleiner betrag unbedeutend|Victory-Geste~sieg|Hand mit gekreuzten Fingern
Hand mit gekreuztem Zeigefinger und Daumen~fingerherz geld handgeste teuer|Ich-liebe-dich-Geste~hand
Teufelsgruß~finger hand hörner rock|Ruf-mich-an-Handzeichen~anrufen|nach links weisender Zeigefinger~handrückseite
nach rechts weisender Zeigefinger~handrückseite|nach oben weisender Zeigefinger von hinten~aufwärts handrückseite
Mittelfinger~hand|nach unten weisender Zeigefinger~abwärts handrückseite
nach oben weisender Zeigefinger von vorne~hand handvorderseite
auf Betrachter zeigender Zeigefinger~du handgeste mit sie|Daumen hoch~gut hand nach oben
Daumen runter~hand nach unten schlecht|erhobene Faust|geballte Faust~hand|Faust nach links|Faust nach rechts
klatschende Hände~applaudieren beifall|zwei erhobene Handflächen~feiern
Hände, die Herz bilden~händeherz handgeste liebe|offene Hände|Handflächen nach oben~beten
Handschlag~hände händeschütteln vereinbarung
zusammengelegte Handflächen~beten betende hände bitten danken gebet grüßen|schreibende Hand
Nagellack~kosmetik maniküre nagelpflege|Selfie~smartphone|angespannter Bizeps~comic muskeln anspannen stark
Armprothese~barrierefreiheit|Beinprothese~barrierefreiheit|Bein~treten tritt|Fuß~stampfen treten|Ohr~körperteil
Ohr mit Hörgerät~barrierefreiheit gehörlos hörhilfe taub|Nase~körperteil|Gehirn~intelligent
Herz (Organ)~herzschlag mitte puls pulsieren|Lunge~atem atmen ausatmen einatmen lungenflügel organ
Zahn~ziehen zahnarzt zahnärztin|Knochen~skelett|Augen~gesicht|Auge~körperteil|Zunge~körperteil
Mund~körperteil lippen|Auf Lippe beißen~angst ängstlich besorgt flirtend nervös unbehaglich|Baby~gesicht
Kind~geschlechtsneutral jung|Junge~gesicht|Mädchen~gesicht
Person~erwachsene geschlechtsneutral mensch ohne eindeutiges geschlecht|Person: blondes Haar~haare gesicht|Mann
Person: Bart~mit|Mann: Bart|Frau: Bart|Mann: rotes Haar|Mann: lockiges Haar|Mann: weißes Haar|Mann: Glatze|Frau
Frau: rotes Haar|Person: rotes Haar~erwachsene geschlechtsneutral mensch ohne eindeutiges geschlecht
Frau: lockiges Haar|Person: lockiges Haar~erwachsene geschlechtsneutral mensch ohne eindeutiges geschlecht
Frau: weißes Haar|Person: weißes Haar~erwachsene geschlechtsneutral mensch ohne eindeutiges geschlecht|Frau: Glatze
Person: Glatze~erwachsene geschlechtsneutral mensch ohne eindeutiges geschlecht|Frau: blond~blonde gesicht haar
Mann: blond~blonder gesicht haar
ältere Person~alt älterer mensch erwachsene geschlechtsneutral ohne eindeutiges geschlecht
älterer Mann~gesicht senior|ältere Frau~gesicht seniorin|missmutige Person~gesicht
missmutiger Mann~gesicht stirn runzeln|missmutige Frau~gesicht stirn runzeln|schmollende Person
schmollender Mann~gesicht|schmollende Frau~gesicht|Person mit überkreuzten Armen~verboten x
Mann mit überkreuzten Armen~gesicht|Frau mit überkreuzten Armen~gesicht
Person mit Händen auf dem Kopf~alles in ordnung|Mann mit Händen auf dem Kopf~arme gesicht
Frau mit Händen auf dem Kopf~arme gesicht|Infoschalter-Mitarbeiter(in)~gesicht hilfe informationen
Infoschalter-Mitarbeiter~auskunft informationen mann|Infoschalter-Mitarbeiterin~auskunft frau informationen
Person mit erhobenem Arm~siegerpose|Mann mit erhobenem Arm~geste siegerpose|Frau mit erhobenem Arm~geste siegerpose
gehörlose Person~barrierefreiheit hören ohr taub|gehörloser Mann~taub|gehörlose Frau~taub
sich verbeugende Person~entschuldigung geste|sich verbeugender Mann~demut|sich verbeugende Frau~demut
sich an den Kopf fassende Person~frustriert genervt gesicht|sich an den Kopf fassender Mann~frustriert genervt
sich an den Kopf fassende Frau~frustriert genervt|schulterzuckende Person~egal gleichgültig keine ahnung zweifel
schulterzuckender Mann~gleichgültig keine ahnung zweifel|schulterzuckende Frau~gleichgültig keine ahnung zweifel
Arzt/Ärztin~gesundheitswesen krankenschwester therapeut|Arzt~arztkittel doktor|Ärztin~arztkittel
Student(in)~absolvent|Student~absolvent doktorhut uni|Studentin~absolventin doktorhut uni
Lehrer(in)~dozent professor|Lehrer~dozent professor|Lehrerin~dozentin professorin|Richter(in)~waage
Richter~gerechtigkeit recht|Richterin~gerechtigkeit recht|Bauer/Bäuerin~farmer gärtner landwirt|Bauer~ähre landwirt
Bäuerin~ähre landwirtin|Koch/Köchin|Koch~kochen|Köchin~kochen|Mechaniker(in)~elektriker klempner
Mechaniker~elektriker handwerker klempner|Mechanikerin~elektrikerin handwerkerin klempnerin
Fabrikarbeiter(in)~industriell montage|Fabrikarbeiter|Fabrikarbeiterin
Büroangestellte(r)~architekt business manager schlips und kragen|Büroangestellter~manager|Büroangestellte~mangerin
Wissenschaftler(in)~biologe chemiker ingenieur physiker|Wissenschaftler~forscher labor
Wissenschaftlerin~forscherin labor|IT-Experte/IT-Expertin~entwickler erfinder programmierer software technologe
IT-Experte~bildschirm computer entwickler|IT-Expertin~bildschirm computer entwickler
Sänger(in)~entertainer rock schauspieler star|Sänger~mann mikrofon popstar|Sängerin~frau mikrofon popstar
Künstler(in)~palette|Künstler~farbpalette maler mann|Künstlerin~farbpalette frau malerin|Pilot(in)~flugzeug
Pilot~flugzeug mann|Pilotin~flugzeug frau|Astronaut(in)~rakete|Astronaut~mann raumfahrt weltraum
Astronautin~frau raumfahrt weltraum|Feuerwehrmann/-frau~feuerwehrfahrzeug|Feuerwehrmann~feuerwehrhelm
Feuerwehrfrau~feuerwehrhelm|Polizist(in)~gesicht polizei|Polizist~mann polizei|Polizistin~frau polizei
Detektiv(in)~spion|Detektiv~mann spion|Detektivin~frau spionin
Wache~buckingham palace wachfrau wachmann wachsoldat wachsoldatin|Wachsoldat~buckingham palace wache
Wachsoldatin~buckingham palace|Ninja~ausdauer kämpfer vermummt|Bauarbeiter(in)~gesicht helm
Bauarbeiter~baustelle helm|Bauarbeiterin~baustelle helm mann
Person mit Krone~adelig königlich königliche hoheit monarch monarchin|Prinz|Prinzessin~gesicht krone märchen
Person mit Turban|Mann mit Turban~gesicht|Frau mit Turban~gesicht|Mann mit chinesischem Hut~china gesicht
Frau mit Kopftuch~hidschab mantilla tichel|Person im Smoking~bräutigam|Mann im Smoking|Frau im Smoking
Person mit Schleier~braut hochzeit|Mann mit Schleier|Frau mit Schleier|schwangere Frau
schwangerer Mann~aufgebläht bauch dick|schwangere Person~aufgebläht bauch dick|Stillen~baby brust
stillende Frau~baby|stillender Mann~baby|stillende Person~baby|Putte~engel gesicht märchen
Weihnachtsmann~weihnachten|Weihnachtsfrau~weihnachten|Weihnachtsperson~weihnachten
Superheld(in)~comic gut superheldin superkraft übermensch|Superheld|Heldin~superheldin|Bösewicht
männlicher Bösewicht|weiblicher Bösewicht|Magier(in)~hexe hexenmeister zauberer zauberin
Magier~hexenmeister zauberer|Magierin~hexe zauberin|Märchenfee~oberon puck titania
männliche Fee~oberon puck zauberer|Fee~titania|Vampir~dracula untoter|männlicher Vampir~dracula untoter
weiblicher Vampir~untoter|Wassermensch~meerjungfrau wasserfrau wassermann|Wassermann~triton
Meerjungfrau~nixe wasserfrau|Elf(e)~elbe elben elbin magisch|Elf~alb elbe magisch|Elfe~elbin magisch
Flaschengeist~dschinn|männlicher Flaschengeist~dschinn|weiblicher Flaschengeist~dschinn
Zombie~untoter wandelnder toter|männlicher Zombie~untoter wandelnder toter|weiblicher Zombie~untote wandelnde tote
Troll~fantasy kobold märchen monster ungeheuer|Person, die eine Kopfmassage bekommt~salon
Mann, der eine Kopfmassage bekommt|Frau, die eine Kopfmassage bekommt|Person beim Haareschneiden~friseur frisur
Mann beim Haareschneiden~friseur haarschnitt schere|Frau beim Haareschneiden~friseur haarschnitt schere
Fußgänger(in)~gehen gehend wandern|Fußgänger~gehen mann spaziergang|Fußgängerin~frau gehen spaziergang
stehende Person~stand|stehender Mann|stehende Frau|kniende Person|kniender Mann|kniende Frau
Person mit Gehstock~barrierefreiheit blind blindenstock
Mann mit Langstock~barrierefreiheit blind blindenstock sehbehindert
Frau mit Langstock~barrierefreiheit blind blindenstock gehstock|Person in motorisiertem Rollstuhl~barrierefreiheit
Mann in elektrischem Rollstuhl~barrierefreiheit|Frau in elektrischem Rollstuhl~barrierefreiheit
Person in manuellem Rollstuhl~barrierefreiheit|Mann in manuellem Rollstuhl~barrierefreiheit
Frau in manuellem Rollstuhl~barrierefreiheit|laufende Person~marathon sport|laufender Mann~joggen jogger marathon
laufende Frau~joggen joggerin marathon|tanzende Frau|tanzender Mann|schwebender Mann im Anzug~geschäftlich
Personen mit Hasenohren~bunnys leute|Männer mit Hasenohren~bunnys party|Frauen mit Hasenohren~bunnys party
Person in Dampfsauna|Mann in Dampfsauna|Frau in Dampfsauna|Bergsteiger(in)|Bergsteiger|Bergsteigerin
Fechter(in)~fechten schwert sport|Pferderennen~jockey auf sport|Skifahrer(in)~schnee skifahrerin sport
Snowboarder(in)~snowboarden snowboarderin sport|Golfer(in)|Golfer~golfen golfspieler mann
Golferin~frau golfen golfspielerin|Surfer(in)~surfen wassersport wellenreiten wellenreiter wellenreiterin
Surfer~mann wellenreiten|Surferin~frau wellenreiten|Person im Ruderboot|Mann im Ruderboot~rudern
Frau im Ruderboot~rudern|Schwimmer(in)~kraulen schwimmen sport wasser|Schwimmer~kraulen pool schwimmbad schwimmen
Schwimmerin~kraulen pool schwimmbad schwimmen|Person mit Ball~basketball|Mann mit Ball~ballsport handball
Frau mit Ball~ballsport handball|Gewichtheber(in)|Gewichtheber~heben mann|Gewichtheberin~frau heben
Radfahrer(in)~radfahren|Radfahrer~fahrrad mann|Radfahrerin~fahrrad frau|Mountainbiker(in)~radfahren
Mountainbiker~fahrrad mann rad|Mountainbikerin~fahrrad frau rad|Rad schlagende Person~bodenturnen radschlag
Rad schlagender Mann~bodenturnen radschlag|Rad schlagende Frau~bodenturnen radschlag|Ringer(in)~ringkampf wrestling
ringende Männer~ringer ringkampf wrestling|ringende Frauen~ringer ringkampf wrestling|Wasserballspieler(in)~sport
Wasserballspieler~wassersport|Wasserballspielerin~wassersport|Handballspieler(in)~sport|Handballspieler~mann
Handballspielerin~frau|Jongleur(in)~geschickt jonglieren multitasking
Jongleur~geschickt jonglieren mann multitasking|Jongleurin~frau geschickt jonglieren multitasking
Person im Lotossitz~meditation yoga|Mann im Lotossitz~meditation yoga|Frau im Lotossitz~meditation yoga
badende Person~badewanne badezimmer|im Bett liegende Person~schlafen|sich an den Händen haltende Personen~paar
Händchen haltende Frauen~paar pärchen aus und|Mann und Frau halten Hände~händchen paar pärchen aus
Händchen haltende Männer~paar pärchen aus mann und|sich küssendes Paar~frau herz kuss mann
sich küssendes Paar: Frau, Mann~herz kuss|sich küssendes Paar: Mann, Mann~frau herz kuss
sich küssendes Paar: Frau, Frau~herz kuss mann|Liebespaar~frau herz mann|Liebespaar: Frau, Mann~herz
Liebespaar: Mann, Mann~frau herz|Liebespaar: Frau, Frau~herz mann|Familie~kind mutter vater
Familie: Mann, Frau und Junge~kind mutter vater|Familie: Mann, Frau und Mädchen~kind mutter vater
Familie: Mann, Frau, Mädchen und Junge~kind mutter vater|Familie: Mann, Frau, Junge und Junge~kind mutter vater
Familie: Mann, Frau, Mädchen und Mädchen~kind mutter vater|Familie: Mann, Mann und Junge~kind mutter vater
Familie: Mann, Mann und Mädchen~kind mutter vater|Familie: Mann, Mann, Mädchen und Junge~kind mutter vater
Familie: Mann, Mann, Junge und Junge~kind mutter vater|Familie: Mann, Mann, Mädchen und Mädchen~kind mutter vater
Familie: Frau, Frau und Junge~kind mutter vater|Familie: Frau, Frau und Mädchen~kind mutter vater
Familie: Frau, Frau, Mädchen und Junge~kind mutter vater|Familie: Frau, Frau, Junge und Junge~kind mutter vater
Familie: Frau, Frau, Mädchen und Mädchen~kind mutter vater|Familie: Mann, Junge~kind mutter vater
Familie: Mann, Junge und Junge~kind mutter vater|Familie: Mann, Mädchen~kind mutter vater
Familie: Mann, Mädchen und Junge~kind mutter vater|Familie: Mann, Mädchen und Mädchen~kind mutter vater
Familie: Frau, Junge~kind mutter vater|Familie: Frau, Junge und Junge~kind mutter vater
Familie: Frau, Mädchen~kind mutter vater|Familie: Frau, Mädchen und Junge~kind mutter vater
Familie: Frau, Mädchen und Mädchen~kind mutter vater|sprechender Kopf~gesicht silhouette
Silhouette einer Büste~person|Silhouette mehrerer Büsten~personen
sich umarmende Personen~danke hallo tschüss umarmung|Fußabdrücke~abdruck fußabdruck|Affengesicht~tier|Affe~tier
Gorilla~affe gesicht tier|Orang-Utan~affe|Hundegesicht~tier|Hund~haustier tier
Blindenhund~barrierefreiheit sehbehindert|Assistenzhund~barrierefreiheit|Pudel~hund tier
Wolf~gesicht tier wolfsgesicht|Fuchs~fuchsgesicht gesicht tier|Waschbär~neugierig|Katzengesicht~tier
Katze~haustier tier|schwarze Katze~pech unglück|Löwe~gesicht löwengesicht sternzeichen tierkreis|Tigergesicht~tier
Tiger~tier|Leopard~tier|Pferdegesicht~tier|Pferd~rennen rennpferd tier|Einhorn~einhorngesicht gesicht|Zebra~streifen
Hirsch~gesicht tier|Bison~büffel herde wisent|Kuhgesicht~tier|Ochse~sternzeichen stier tier tierkreis
Wasserbüffel~tier|Kuh~tier|Schweinegesicht~tier|Schwein~sau tier|Wildschwein~tier|Schweinerüssel~nase tier
Widder~schaf sternzeichen tierkreis|Schaf~tier|Ziege~steinbock sternzeichen tier tierkreis
Dromedar~einhöckrig kamel tier|Kamel~tier zweihöckrig|Lama~alpaca wolle|Giraffe~flecken|Elefant~tier
Mammut~aussterben groß stoßzahn wollig|Nashorn~rhinozeros tier|Nilpferd~hippo|Mäusegesicht~maus tier|Maus~tier
Ratte~tier|Hamster~gesicht hamstergesicht tier|Hasengesicht~tier|Hase~kaninchen tier|Streifenhörnchen~tier
Biber~damm|Igel~stachelig|Fledermaus~tier vampir|Bär~bärengesicht gesicht tier|Eisbär~arktis nordpol weiß
Koala~koalabär tier|Panda~gesicht pandabär pandagesicht tier|Faultier~langsam|Otter~fischen verspielt
Stinktier~skunk stinken|Känguru~australien hüpfen|Dachs~dachse|Tatzenabdrücke~abdruck tier|Truthahn~geflügel
Huhn~geflügel henne tier|Hahn~tier|schlüpfendes Küken~tier|Küken~tier|Küken von vorne~geflügel tier
Vogel~papagei taube|Pinguin~tier|Taube~fliegen friede frieden vogel|Adler~vogel|Ente~vogel
Schwan~hässliches entlein vogel|Eule~vogel weise|Dodo~aussterben groß mauritius|Feder~federn fliegen leicht
Flamingo~bunt farbenfroh tropen tropisch|Pfau~stolz stolzieren vogel|Papagei~pirat vogel wiederholen
Frosch~froschgesicht gesicht tier|Krokodil~tier|Schildkröte~tier|Eidechse~reptil
Schlange~schlangenträger sternzeichen tier tierkreis|Drachengesicht~tier|Drache~märchen tier
Sauropode~brachiosaurus brontosaurus dino dinosaurier diplodocus saurier
T-Rex~dino dinosaurier saurier tyrannosaurus|blasender Wal~tier|Wal~tier|Delfin~tier|Seehund~seelöwe
Fisch~fische sternzeichen tier tierkreis|Tropenfisch~tier|Kugelfisch~tier|Hai~haifisch
Oktopus~krake tier tintenfisch|Schneckenhaus~muschel tier|Koralle~korallenriff ozean riff|Schnecke~tier
Schmetterling~schön|Raupe~insekt tier|Ameise~insekt tier|Biene~honigbiene hummel tier|Käfer~insekt
Marienkäfer~glückskäfer tier|Grille~heuschrecke|Kakerlake~insekt schabe|Spinne~insekt tier|Spinnennetz
Skorpion~sternzeichen tierkreis|Mücke~fieber insekt malaria moskito|Fliege~krankheit made plage verwesen
Wurm~parasit regenwurm ringelwurm|Mikrobe~amöbe bakterie einzeller|Blumenstrauß~bouquet
Kirschblüte~blume kirsche pflanze|Blumenstempel|Lotusblüte~blume buddhismus hinduismus indien reinheit vietnam
Rosette~pflanze|Rose~blume blüte pflanze|welke Blume~verwelkt|Hibiskus~blume blüte pflanze|Sonnenblume~blüte pflanze
gelbe Blüte~blume pflanze|Tulpe~blume blüte pflanze|Spross~junge pflanze
Topfpflanze~haus langweilig nutzlos pflegen wachsen|Nadelbaum~pflanze|Laubbaum~pflanze|Palme~baum pflanze
Kaktus~pflanze|Reisähre~pflanze|Kräuter~blätter|Kleeblatt~pflanze|Glücksklee~kleeblatt vier vierblättrig
Ahornblatt~herbst laub pflanze|Laub~blatt blätter herbst pflanze|Blätter im Wind~blatt laub pflanze
leeres Nest~nestbau nisten vogelnest|Nest mit Eiern~nestbau nisten vogelnest|Fliegenpilz|Trauben~frucht obst
Honigmelone~frucht obst|Wassermelone~frucht obst|Mandarine~frucht obst orange|Zitrone~frucht obst zitrusfrucht
Banane~frucht obst|Ananas~frucht obst|Mango~frucht früchte tropisch|roter Apfel~frucht obst|grüner Apfel~frucht obst
Birne~frucht obst|Pfirsich~frucht obst|Kirschen~frucht obst|Erdbeere~frucht obst|Blaubeeren~heidelbeere
Kiwi~frucht obst|Tomate~gemüse|Olive~lebensmittel|Kokosnuss~palme piña colada|Avocado~frucht|Aubergine~gemüse
Kartoffel~essen|Karotte~gemüse möhre mohrrübe|Maiskolben|Peperoni~chili paprika pfeffer pflanze scharf
Paprika~gemüse gemüsepaprika|Gurke~essen gemüse|Blattgemüse~grünzeug kohl salat spinat|Brokkoli~gemüsekohl
Knoblauch~geschmack|Zwiebel~geschmack|Erdnuss~essen|Bohnen~essen hülsenfrucht kidney-bohne lebensmittel
Kastanie~marone|Brot~brotlaib laib|Croissant~französisch frühstück frühstückshörnchen|Baguette~französisch frühstück
Fladenbrot~arepa lavasch naan pita|Brezel~gedreht|Bagel~bäckerei backwaren frühstück
Pfannkuchen~eierpfannkuchen essen|Waffel~mit butter|Käsestück|Fleischhachse~knochen restaurant
Hähnchenschenkel~geflügel restaurant|Fleischstück~kotelett lammkotelett schweinekotelett steak
Bacon~essen frühstücksspeck speck|Hamburger~restaurant|Pommes frites~fritten|Pizza~pizzastück pizzeria
Hotdog~frankfurter wurst würstchen|Sandwich~brot|Taco~mexikanisch|Burrito~mexikanisch
Tamale~eingewickelt mexikanisch|Döner~kebab falafel wrap|Falafel~bällchen kichererbsen|Ei~frühstück frühstücksei
Spiegelei in Bratpfanne~kochen|Pfannengericht~essen paella reispfanne|Topf mit Essen~eintopf gericht
Fondue~geschmolzen käse schokolade schweizerisch topf|Schüssel mit Löffel~cerealien frühstück reisbrei|Salat~essen
Popcorn~snack|Butter~milchprodukt|Salz~geschmack salzstreuer|Konserve~dose|Bento-Box|Reiscracker|Reisbällchen
Reis in Schüssel|Reis mit Curry|Schüssel und Essstäbchen~dampfend eiernudeln nudeln suppe
Spaghetti~nudeln mit tomatensoße pasta|geröstete Süßkartoffel|Oden~japanisches gericht restaurant
Sushi~japanisches gericht restaurant|frittierte Garnele~restaurant|Fischfrikadelle
Mondkuchen~festival herbst yuebing|Dango~japanisches gericht mochi-kugeln auf einem spieß restaurant
Teigtasche~chinesische empanada gyōza jiaozi pierogi|Glückskeks~prophezeiung|Takeaway-Schachtel~takeaway-box
Krebs~sternzeichen tierkreis|Hummer~meeresfrüchte|Garnele~gourmet krustentier|Tintenfisch~kalmar
Auster~perle tauchen|Softeis|Wassereis~sorbet|Eiscreme~eisbecher eisdiele|Donut~doughnut|Keks~cookie
Geburtstagskuchen~torte|Torte~kuchen kuchenstück stück tortenstück|Cupcake~gebäck konditorei muffin süß
Kuchen~füllung gebäck|Schokoladentafel|Bonbon~süßigkeit|Lutscher~lolli süßigkeit
Pudding~dessert nachspeise nachtisch schokolade soße|Honigtopf|Babyflasche~fläschchen kind milch trinken
Glas Milch~getränk|Heißgetränk~dampfend kaffee tee trinken|Teekanne~trinken|Teetasse ohne Henkel
Sake-Flasche mit Tasse~getränk trinken|Flasche mit knallendem Korken~champagner sekt trinken|Weinglas~bar
Cocktailglas~bar|Cocktail~bar exotisches getränk|Bierkrug~bar|Bierkrüge~anstoßen|Sektgläser~anstoßen feiern getränk
Trinkglas~bar whiskey|Flüssigkeit ausgießen~getränk glas leer trinken verschütten|Becher mit Strohhalm~saft selters
Bubble Tea~blase milch perle tee|Trinkpäckchen~getränk saftpackung|Mate-Tee~getränk|Eiswürfel~eisberg kalt
Essstäbchen~hashi|Teller mit Messer und Gabel~kochen|Messer und Gabel~besteck|Löffel~besteck|Küchenmesser
Einmachglas~einweckglas gewürzglas leer marmeladeglas|Amphore~gefäß kochen krug vase wassermann
Globus mit Europa und Afrika~weltkugel|Globus mit Amerika~nordamerika südamerika weltkugel
Globus mit Asien und Australien~weltkugel|Globus mit Meridianen~breitengrad längengrad|Weltkarte
Umriss von Japan~karte|Kompass~himmelsrichtung magnetisch navigation orientierung windrose|schneebedeckter Berg~kalt
Berg~gebirge|Vulkan~ausbruch berg wetter|Fuji~berg|Camping~campen zelt zelten|Strand mit Sonnenschirm~meer|Wüste
einsame Insel~meer strand verlassen|Nationalpark|Stadion~arena|antikes Gebäude~klassizistisch|Kran~bau bauen
Ziegelstein~klinker mauerwerk wand|Felsen~stein|Holz~feuerholz holzscheite|Hütte~haus jurte rundhaus
Wohnhäuser~gebäude haus wohnhaus wohnsiedlung|verfallenes Haus~gebäude heruntergekommen verlassen
Haus~gebäude zuhause|Haus mit Garten~baum|Bürogebäude~hochhaus|japanisches Postgebäude|Postgebäude~europa
Krankenhaus~arzt gebäude medizin|Bank~gebäude geld|Hotel~gebäude übernachten unterkunft
Stundenhotel~gebäude liebe unterkunft|Minimarkt~einkaufen gebäude geschäft lebensmittel|Schule~gebäude schulgebäude
Kaufhaus~einkaufen gebäude geschäft shoppen|Fabrik~fabrikgebäude gebäude|japanisches Schloss~bauwerk gebäude
Schloss~bauwerk europa europäisch gebäude|Hochzeit~herz kirche|Tokyo Tower~fernsehturm tokio|Freiheitsstatue~amerika
Kirche~christ christentum christlich gebäude kreuz religion|Moschee~islam moslem muslim religion|Hindutempel
Synagoge~jude jüdisch religion tempel|Shinto-Schrein~religion|Kaaba~islam moslem muslim religion
Springbrunnen~garten park|Zelt~camping campingurlaub zeltplatz|neblig~nebel wetter|Sternenhimmel~nacht
Skyline~gebäude häuser hochhäuser stadt wolkenkratzer|Sonnenaufgang über Bergen|Sonnenaufgang über dem Meer
Abendstimmung in der Stadt~hochhäuser sonnenuntergang|Sonnenuntergang in der Stadt~hochhäuser
Brücke vor Nachthimmel~golden gate nachts|heiße Quellen~dampf dampfend|Karussellpferd
Spielplatzrutsche~spielen vergnügungspark|Riesenrad~freizeitpark volksfest|Achterbahn~freizeitpark volksfest
Barbershop-Säule~herrenfriseur|Zirkuszelt~unterhaltung|Dampflokomotive~fahrzeug zug
Eisenbahnwagen~fahrzeug waggon zug|Hochgeschwindigkeitszug mit spitzer Nase~shinkansen tgv
Hochgeschwindigkeitszug~japan shinkansen|Zug~eisenbahn|U-Bahn~metro|S-Bahn~zug|Bahnhof~zug|Straßenbahn~tram
Einschienenbahn~magnetschwebebahn|Bergbahn|Straßenbahnwagen~tram tramwagen|Bus~fahrzeug|Bus von vorne
Oberleitungsbus~trolleybus|Kleinbus|Krankenwagen~notfall|Feuerwehrauto~brand löschfahrzeug
Polizeiwagen~streifenwagen|Polizeiwagen von vorne~streifenwagen|Taxi~auto fahrzeug|Taxi von vorne|Auto~fahrzeug
Auto von vorne~automobil fahrzeug|Wohnmobil~verreisen|Pick-up~laster lieferwagen|Lieferwagen~lastwagen lkw
Sattelzug~lastwagen lkw|Traktor~landwirtschaft trecker|Rennauto~autorennen|Motorrad~motorrennen|Motorroller~vespa
manueller Rollstuhl~barrierefreiheit|elektrischer Rollstuhl~barrierefreiheit|Autorikscha~tuk-tuk|Fahrrad|Tretroller
Skateboard~fahren|Rollschuh~rollen|Bushaltestelle|Autobahn~schnellstraße|Bahngleis~schienen|Ölfass
Tanksäule~benzin tanken tankstelle|Autorad~drehen reifen rotieren|Polizeilicht|horizontale Verkehrsampel~vertikal
vertikale Verkehrsampel~horizontal|Stoppschild~achteckig|Baustellenabsperrung~schild|Anker~hafen meer
Rettungsring~leben retten schwimmring sicherheit|Segelboot|Kanu~boot wassersport|Schnellboot
Passagierschiff~seereise|Fähre~schiff|Motorboot~schiff|Schiff~dampfer kreuzfahrtschiff|Flugzeug~flieger
kleines Flugzeug|Abflug~flugzeug start eines flugzeugs|Landung eines Flugzeugs
Fallschirm~fallschirmspringen paragliding skydiving|Sitzplatz~flugzeug zug|Hubschrauber~helikopter
Schwebebahn~hängebahn|Bergschwebebahn|Bergseilbahn~gondel|Satellit~weltraum|Rakete~weltraum|fliegende Untertasse~ufo
Rezeptionsklingel|Gepäck~ballast koffer reise|Sanduhr~prozess vorgang läuft|laufende Sanduhr~prozess vorgang läuft
Armbanduhr|Wecker~uhr uhrzeit|Stoppuhr|Zeitschaltuhr~timer|Kaminuhr|Ziffernblatt 12:00 Uhr~mittag mitternacht zwölf
12:30 Uhr~00 halb eins ziffernblatt|1:00 Uhr~01 13 punkt eins ziffernblatt|1:30 Uhr~halb zwei ziffernblatt
2:00 Uhr~ziffernblatt|2:30 Uhr~halb drei ziffernblatt|3:00 Uhr~ziffernblatt|3:30 Uhr~halb vier ziffernblatt
4:00 Uhr~ziffernblatt|4:30 Uhr~04 16 halb fünf ziffernblatt|5:00 Uhr~05 17 punkt fünf ziffernblatt
5:30 Uhr~05 17 halb sechs ziffernblatt|6:00 Uhr~ziffernblatt|6:30 Uhr~halb sieben|7:00 Uhr~ziffernblatt
7:30 Uhr~halb acht ziffernblatt|8:00 Uhr~ziffernblatt|8:30 Uhr~halb neun ziffernblatt|9:00 Uhr~ziffernblatt
9:30 Uhr~halb zehn ziffernblatt|10:00 Uhr~ziffernblatt|10:30 Uhr~halb elf ziffernblatt|11:00 Uhr~ziffernblatt
11:30 Uhr~halb zwölf ziffernblatt|Neumond|erstes Mondviertel~zunehmend|zunehmender Halbmond
zweites Mondviertel~zunehmend|Vollmond|drittes Mondviertel~abnehmend|abnehmender Halbmond
letztes Mondviertel~abnehmend|Mondsichel|Neumond mit Gesicht|Mondsichel mit Gesicht links
Mondsichel mit Gesicht rechts|Thermometer~temperatur wetter|Sonne~sonnenstrahlen sonnig strahlen wetter
Vollmond mit Gesicht|Sonne mit Gesicht|Ringplanet~saturn|weißer mittelgroßer Stern|funkelnder Stern
Sternschnuppe~himmel|Milchstraße~galaxie|Wolke~wetter wolkig|Sonne hinter Wolke~wolkig
Wolke mit Blitz und Regen~gewitter wetter wolkig|Sonne hinter kleiner Wolke~wetter|Sonne hinter großer Wolke~wetter
Sonne hinter Regenwolke~wetter|Wolke mit Regen~regenwolke wetter|Wolke mit Schnee~wetter
Wolke mit Blitz~gewitter wetter|Wirbelsturm~wetter|Nebel~neblig wetter|Wind~wetter windig|Wirbel~spirale wirbelsturm
Regenbogen~wetter|geschlossener Regenschirm|Regenschirm~bekleidung wetter|Regenschirm im Regen
aufgestellter Sonnenschirm|Hochspannung~blitz gefahr|Schneeflocke|Schneemann im Schnee
Schneemann ohne Schneeflocken~kalt winter|Komet~weltall|Feuer~flamme heiß|Tropfen~schweiß wasser wassertropfen
Welle~meer|Halloweenkürbis|Weihnachtsbaum~tanne weihnachten|Feuerwerk~silvester|Wunderkerze~feuerwerk
Feuerwerkskörper~dynamit explosiv knaller|funkelnde Sterne~*|Luftballon~geburtstag|Konfettibombe~feier party
Konfettiball~feier|Tanabata-Baum~fest japan sternenfest zettel|Piniendekoration~japan neujahrsfest
japanische Puppen~puppenfest|traditionelle japanische Windsäcke~feier karpfen|japanisches Windspiel~feier glocke
traditionelles Mondfest~japan|roter Umschlag~geld geschenk glück hongbao|pinke Schleife~feier
Geschenk~feier verpackt|Gedenkschleife|Eintrittskarten~ticket|Ticket~konzert unterhaltung|Militärorden|Pokal~preis
Sportmedaille|Goldmedaille~erster 1. platz|Silbermedaille~2. platz zweiter|Bronzemedaille~dritter 3. platz|Fußball
Baseball|Softball~handschuh|Basketball~korb sport|Volleyball|Football~amerika sport|Rugbyball~sport|Tennisball~sport
Frisbee~ultimate|Bowling~bowlingkugel kugel spiel|Kricket~ball cricket schläger|Feldhockey~schläger
Eishockey~puck schläger|Lacrosse~ball schläger stock|Tischtennis~ball schläger|Badminton~federball schläger
Boxhandschuh~boxen sport|Kampfsportanzug~judo kampfkunst karate taekwondo|Tor~sport|Golffahne~golfplatz
Schlittschuh~eislauf|Angel mit Fisch~angeln entspannung|Tauchmaske~schnorcheln sporttauchen tauchen
Laufshirt~laufen schärpe sport|Ski~und stöcke|Schlitten~rodel|Curlingstein~spiel|Darts~spiel volltreffer zielscheibe
Jo-Jo~spielzeug|Drachen~fliegen steigen|Wasserpistole~revolver waffe|Billardkugel~8-ball spiel
Kristallkugel~wahrsager|Zauberstab~hexe hexer zauberei zauberer zauberin|Gamepad~gaming videospiel
Joystick~gaming videospiel|Spielautomat~glücksspiel|Spielwürfel|Puzzleteil~puzzlestück
Teddybär~kuscheltier plüschteddy plüschtier spielzeug|Piñata~feier party
Discokugel~lichtreflexe party spiegelkugel tanzen|Matroschka~matrioschka puppe russland|Pik~kartenspiel
Herz~kartenspiel|Karo~kartenspiel|Kreuz~kartenspiel|Bauer Schach|Jokerkarte~spielkarte|Mahjong-Stein~roter drache
japanische Blumenkarte~hanafuda|Masken~kunst theater unterhaltung
gerahmtes Bild~gemälde kunst malen rahmen zeichnung|Mischpalette~farben kunst künstler|Faden~nadel nähen zwirn
Nähnadel~nähen nähte schneidern stiche sticken|Wollknäuel~häkeln stricken wolle
Knoten~binden schnur seil zusammendrehen|Brille~accessoire|Sonnenbrille~augen dunkel
Schutzbrille~augenschutz schweißen schwimmen|Laborkittel~doktor experiment wissenschaftler|Sicherheitsweste~notfall
Hemd mit Krawatte~kleidung kragen schlips|T-Shirt~kleidung|Jeans~hose kleidung|Schal~hals|Handschuhe|Mantel~jacke
Socken~strümpfe|Kleid~kleidung|Kimono~kleid kleidung|Sari~kleid kleidung|einteiliger Badeanzug
Slip~badeanzug einteiler unterwäsche|Shorts~badebekleidung boxershorts schwimmshorts|Bikini~badeanzug kleidung
Bluse~damenmode kleidung oberbekleidung|Geldbörse~accessoire brieftasche portemonnaie|Handtasche~accessoire
Clutch~accessoire tasche|Einkaufstüten~einkaufen shoppen shopping|Schulranzen~rucksack schule tornister
Zehensandale~zehensandalen|Herrenschuh|Sportschuh~sneaker sportlich|Wanderstiefel~camping wandern wanderung
flacher Schuh~ballet-pumps slipper|Stöckelschuh~absatzschuh damen highheels pumps|Damensandale~schuh
Ballettschuhe~tanz|Damenstiefel~schuh|Krone~könig königin|Damenhut~mit schleife kopfbedeckung
Zylinder~hut kopfbedeckung zylinderhut|Doktorhut~abschlussfeier|Baseballmütze~baseballkappe schirmkappe
Militärhelm~kämpfer kämpferin soldat soldatin|Rettungshelm~bergen mit weißem kreuz hilfe retten
Gebetskette~religion rosenkranz|Lippenstift~kosmetik make-up schminke|Ring~diamantring edelstein schmuck verlobung
Edelstein~diamant|durchgestrichener Lautsprecher~stummgeschaltet|Lautsprecher mit geringer Lautstärke~eingeschaltet
Lautsprecher mit mittlerer Lautstärke~mittellaut|Lautsprecher mit hoher Lautstärke|Lautsprecher
Megafon~jubel lautsprecher|Posthorn~brief e-mail|Glocke~ton eingeschaltet|durchgestrichene Glocke~ton ausgeschaltet
Notenschlüssel~musik partitur violinschlüssel|Musiknote|Musiknoten|Studiomikrofon|Schieberegler~musik
Drehregler~bedienknöpfe stellknöpfe|Mikrofon~karaoke singen unterhaltung|Kopfhörer~musik unterhaltung|Radio~musik
Saxofon~instrument musik musikinstrument
Akkordeon~akkordeons concertina quetschkommode quetschkommoden ziehharmonika ziehharmonikas
Gitarre~instrument musik musikinstrument|Klaviatur~instrument musik musikinstrument tastatur tasten
Trompete~instrument musik musikinstrument|Geige~instrument musik musikinstrument|Banjo~musik streichinstrument
Trommel~trommelstöcke|afrikanische Trommel~conga rhythmus|Mobiltelefon~handy smartphone|Mobiltelefon mit Pfeil~anruf
Telefon~festnetz|Telefonhörer~anrufen|Pager|Faxgerät|Batterie~akku
schwache Batterie~akku elektronik niedriger akkustand schwacher|Netzstecker~stromstecker|Laptop~computer notebook pc
Desktopcomputer~bildschirm monitor|Drucker~computer|Tastatur~computer|Computermaus|Trackball~computer|Minidisc~md
Diskette~datenträger|CD~blu-ray dvd|DVD~cd|Abakus~abaki abakusse rechenhilfe rechenschieber
Filmkamera~kino unterhaltung|Filmstreifen~filmband kino|Filmprojektor~kino unterhaltung|Filmklappe~unterhaltung
Fernseher~film tv|Fotoapparat~fotos kamera|Fotoapparat mit Blitz|Videokamera~videos|Videokassette
Lupe nach links~suche vergrößerungsglas|Lupe nach rechts~suche vergrößerungsglas|Kerze~licht|Glühbirne~idee licht
Taschenlampe~licht|rote Papierlaterne~izakaya japanisches lokal|Öllampe~diya|Notizbuch mit dekorativem Einband
geschlossenes Buch|offenes Buch~geöffnet|grünes Buch|blaues Buch|orangefarbenes Buch|Bücherstapel|Notizbuch~notizen
Spiralblock~notizblock|teilweise eingerolltes Blatt~dokument papier seite|Schriftrolle~papier
Vorderseite eines Blattes~dokument papier|Zeitung~nachrichten|zusammengerollte Zeitung|Pagemarker~notizen
Lesezeichen~lesen|Etikett~label marke|Geldsack|Münze~geld gold metall schatz silber|Yen-Banknote~geld geldschein
Dollar-Banknote~geld geldschein|Euro-Banknote~euroschein geld geldschein|Pfund-Banknote~geld geldschein
Geldschein mit Flügeln~bank|Kreditkarte~guthaben|Beleg~belege buchhaltung rechnung rechnungslegung
steigende Kurve mit Yen-Zeichen~diagramm markt|Briefumschlag~e-mail|E-Mail~brief e-mail-symbol
eingehender Briefumschlag~e-mail empfangen|Umschlag mit Pfeil~e-mail gesendet|Postausgang~ablage|Posteingang~ablage
Paket~päckchen|geschlossener Briefkasten mit Post~e-mail|geschlossener Briefkasten ohne Post~keine e-mail
offener Briefkasten mit Post~e-mail|offener Briefkasten ohne Post~keine e-mail|Briefkasten|Urne mit Wahlzettel
Bleistift|schwarzer Federhalter~füller stift|Füllhalter~füller füllfederhalter|Kugelschreiber~stift
Pinsel~kunst malen|Wachsmalstift~buntstift|Papier und Bleistift~kurzmitteilung nachricht|Aktentasche
Ordner~dokument geschlossen|geöffneter Ordner~dokument offen|Karteireiter~büromaterial karteikarten
Kalender~kalenderblatt|Abreißkalender|Notizblock|Spiralkalender|Rotationskartei~visitenkarten
Aufwärtstrend~diagramm kurve steigend|Abwärtstrend~diagramm fallend kurve|Balkendiagramm
Klemmbrett~clipboard zwischenablage|Reißzwecke~anpinnen|Stecknadel~anpinnen reißzwecke rund runde|Büroklammer
verhakte Büroklammern|Lineal|dreieckiges Lineal~geodreieck|Schere|Karteikasten~büromaterial
Aktenschrank~ablage archiv|Papierkorb|geschlossenes Schloss~datenschutz sicherheit|offenes Schloss~nicht gesichert
Schloss mit Füller~datenschutz privat sicherheit|Schloss mit Schlüssel~datenschutz privat sicherheit
Schlüssel~passwort|alter Schlüssel|Hammer~werkzeug|Axt~beil hacken holz spalten|Pickel~werkzeug
Hammer und Pickel~werkzeug|Hammer und Schraubenschlüssel~werkzeug|Dolch~waffe|gekreuzte Schwerter|Bombe~comic
Bumerang~australien boomerang|Pfeil und Bogen|Schutzschild|Handsäge~holz tischler werkzeug
Schraubenschlüssel~werkzeug|Schraubenzieher~schraubendreher werkzeug|Mutter und Schraube|Zahnrad~werkzeug
Schraubzwinge~werkzeug|Waage~gerechtigkeit gewicht werkzeug wiegen|Blindenstock~barrierefreiheit
Linksymbol~kettenglieder verknüpfungssymbol zwei ringe|Ketten~eisen|Haken~angelhaken|Werkzeugkasten~mechaniker
Magnet~anziehungskraft magnetisch|Leiter~klettern sprosse stufe|Destillierapparat~werkzeug
Reagenzglas~chemie experiment labor versuche|Petrischale~bakterien bakterienkultur biologie
DNA~biologie evolution genetik leben|Mikroskop~labor|Teleskop|Satellitenschüssel~antenne
Spritze~arzt injektion nadel|Blutstropfen~blutspende medizin menstruation|Kapsel~arzt medizin tabletten|Heftpflaster
Krücke~behinderung gehhilfe gehstütze schmerzen stock|Stethoskop~arzt herz medizin
Röntgenbild~knochen medizin radiologie skelett|Tür~eingang geschlossen|Fahrstuhl~aufzug lift
Spiegel~reflexion spiegelbild|Fenster~aussicht durchsichtig frische luft öffnung rahmen
Bett~hotel schlafen übernachtung|Sofa und Lampe|Stuhl~sitzen|Toilette~wc|Saugglocke~saugglocken toilette verstopft
Dusche|Badewanne~badezimmer|Mausefalle~mäusefalle|Rasierer~rasieren scharf
Creme~feuchtigkeitscreme körpercreme shampoo sonnencreme|Sicherheitsnadel~punk windel|Besen~fegen hexe kehren
Korb~picknick wäsche|Küchenrolle~klopapier papiertücher toilettenpapier|Eimer~behälter bottich kübel
Seife~baden säubern seifenschale|Blasen~reinigen seife seifenblasen unter wasser wasserblasen
Zahnbürste~badezimmer sauber zähne zahnhygiene|Schwamm~absorbieren aufsaugen porös|Feuerlöscher~löschen
Einkaufswagen~einkaufen|Zigarette~rauchen rauchersymbol|Sarg~beerdigung tod tot|Grabstein~friedhof
Urne~beerdigung tod tot|Nazar-Amulett~glücksbringer talisman
Hamsa~amulett fatima glückssymbol hand maria miriam schutz|Statue~gesicht maske osterinsel
Protestschild~demonstration mahnwache plakat|Ausweis~führerschein personalausweis plakette|Symbol „Geldautomat“~atm
Symbol „Papierkorb“~müll sauberkeit|Trinkwasser|Symbol „Rollstuhl“~barrierefrei behindertengerecht
Herren~herrentoilette|Damen~damentoilette|Toiletten~wc|Symbol „Baby“~wickelraum|WC~toilette|Passkontrolle
Zollkontrolle|Gepäckausgabe|Gepäckaufbewahrung~schließfach|Warnung~dreieck|Kinder überqueren die Straße~vorsicht
Zutritt verboten~keine durchfahrt|Verboten~verbotszeichen|Fahrräder verboten~radfahren|Rauchverbot~rauchen verboten
Abfall verboten~müll|Kein Trinkwasser~verboten|Fußgänger verboten|Mobiltelefone verboten
Minderjährige verboten~erwachsene mindestalter nicht jugendfrei|Radioaktiv|Biogefährdung~zeichen
Pfeil nach oben~aufwärts aufwärtspfeil norden|Pfeil nach rechts oben~nordosten|Pfeil nach rechts~osten rechtspfeil
Pfeil nach rechts unten~südosten|Pfeil nach unten~abwärts abwärtspfeil süden|Pfeil nach links unten
Pfeil nach links~linkspfeil westen|Pfeil nach links oben~nordwesten|Pfeil nach oben und unten~entgegengesetzt
Pfeil nach links und rechts~entgegengesetzt|geschwungener Pfeil nach links|geschwungener Pfeil nach rechts
geschwungener Pfeil nach oben|geschwungener Pfeil nach unten|kreisförmige Pfeile im Uhrzeigersinn
Pfeile gegen den Uhrzeigersinn~kreisförmige|BACK-Pfeil~links zurück|END-Pfeil~links|ON!-Pfeil~rechts und links
SOON-Pfeil~rechts|TOP-Pfeil~nach oben|religiöse Stätte~religion|Atomzeichen~atheist|om~hinduismus religion
Davidstern~jüdisch religion|Dharma-Rad~buddhismus|Yin und Yang~daoismus religion
lateinisches Kreuz~christentum religion|orthodoxes Kreuz~christentum religion|Hilal und Stern~islam religion
Friedenszeichen~friedensbewegung friedenssymbol|Menora~leuchter religion|Hexagramm mit Punkt~wahrsager
Widder (Sternzeichen)|Stier (Sternzeichen)|Zwillinge (Sternzeichen)|Krebs (Sternzeichen)|Löwe (Sternzeichen)
Jungfrau (Sternzeichen)|Waage (Sternzeichen)|Skorpion (Sternzeichen)|Schütze (Sternzeichen)|Steinbock (Sternzeichen)
Wassermann (Sternzeichen)|Fische (Sternzeichen)|Schlangenträger~sternbild
Zufallsmodus~gekreuzt pfeile verschlungene nach rechts|Wiederholen~im uhrzeigersinn pfeile
Titel wiederholen~dasselbe im uhrzeigersinn noch einmal pfeile|Wiedergabe~abspielen dreieck pfeil rechts
Doppelpfeile nach rechts~überspringen vorwärts weiter|Nächster Titel~doppelpfeil dreieck vorwärts weiter
Wiedergabe oder Pause~dreieck pfeil rechts|Pfeil zurück~dreieck links
Zurückspulen~doppelpfeil doppelpfeile nach links dreieck pfeil vorheriger titel
Vorheriger Titel~doppelpfeil dreieck pfeil zurück|Aufwärts-Schaltfläche~nach oben pfeil
Doppelpfeile nach oben~aufwärts doppelt|Abwärts-Schaltfläche~nach unten pfeil
Doppelpfeile nach unten~doppelt abwärts|Pause~streifen vertikal|Stopp~aufnahme stoppen quadrat
Aufnehmen~aufnahme kreis|Auswerfen~auswurf auswurftaste medien|Kinosymbol~film filmkamera unterhaltung
Taste Dimmen~gedimmt helligkeit schwache|Heller-Taste~helligkeit starke
balkenförmige Signalstärkenanzeige~empfang mobilfunksignal mobiltelefon|Vibrationsmodus~mobiltelefon
Mobiltelefon aus~ausschalten handy|Frauensymbol~weiblich zeichen|Männersymbol~mann zeichen|Transgender-Symbol~für
mal~× abbrechen multiplikation multiplikationszeichen multiplizieren x|plus~+ pluszeichen|minus~- − minuszeichen
geteilt durch~÷ division geteiltzeichen|Gleichheitszeichen extrafett~mathematik|Unendlichkeit~ewig grenzenlos
doppeltes Ausrufezeichen~rot satzzeichen|Ausrufe- und Fragezeichen~ausrufezeichen rot satzzeichen
rotes Fragezeichen~satzzeichen|weißes Fragezeichen~satzzeichen|weißes Ausrufezeichen~satzzeichen
rotes Ausrufezeichen~satzzeichen|Wellenlinie~gewellt|Geldwechsel~währung|Dollarzeichen extrafett~geld währung
Äskulapstab~apotheke asklepiosstab medizin|Recycling-Symbol|Lilie~fleur-de-lis|Dreizack~anker triton|Namensschild
japanisches Anfänger-Zeichen~symbol|hohler roter Kreis~großer|weißes Häkchen~abgehakt erledigt
abgehaktes Kästchen~✓ feld mit häkchen|kräftiges Häkchen~abhaken erledigt
Kreuzzeichen~abbrechen durchgestrichen multiplikation multiplizieren x|angekreuztes Kästchen~feld quadrat x|Schleife
Doppelschleife~rechteck|Teilalternationszeichen~japanisch zeichensetzung|achtzackiger Stern~*|achtstrahliger Stern~*
Funkeln~*|Copyright|Registered-Trademark~markenzeichen|Markenzeichen~tm trademark|Taste: #|Taste: *|Taste: 0
Taste: 1|Taste: 2|Taste: 3|Taste: 4|Taste: 5|Taste: 6|Taste: 7|Taste: 8|Taste: 9|Taste: 10
Eingabesymbol lateinische Großbuchstaben|Eingabesymbol lateinische Kleinbuchstaben|Eingabesymbol Zahlen
Eingabesymbol Sonderzeichen|Eingabesymbol lateinische Buchstaben
Großbuchstabe A in rotem Quadrat~blut blutgruppe negativ positiv
Großbuchstaben AB in rotem Quadrat~blut blutgruppe negativ positiv
Großbuchstabe B in rotem Quadrat~blut blutgruppe negativ positiv|Großbuchstaben CL in rotem Quadrat
Wort „Cool“ in blauem Quadrat|Wort „Free“ in blauem Quadrat|Buchstabe „i“ in blauem Quadrat~information
Großbuchstaben ID in lila Quadrat|Buchstabe „M“ in Kreis|Wort „New“ in blauem Quadrat~neu
Großbuchstaben NG in blauem Quadrat|Großbuchstabe O in rotem Quadrat~0 blut blutgruppe negativ positiv
Großbuchstaben OK in blauem Quadrat|Großbuchstabe P in blauem Quadrat~parkplatz|SOS-Zeichen~hilfe
Schriftzug „UP!“ im blauen Quadrat|Schriftzug VS in orangem Quadrat~großbuchstaben orangefarbenem versus
Schriftzeichen „koko“~japanisches|Schriftzeichen „sa“~japanisches|Schriftzeichen für „Monatsbetrag“~japanisches
Schriftzeichen für „nicht gratis“~japanisches|Schriftzeichen für „reserviert“~japanisches
Schriftzeichen für „Schnäppchen“~japanisches|Schriftzeichen für „Rabatt“~japanisches
Schriftzeichen für „gratis“~japanisches|Schriftzeichen für „verbieten“~japanisches
Schriftzeichen für „akzeptieren“~japanisches|Schriftzeichen für „anwenden“~japanisches
Schriftzeichen für „Note zum Bestehen“~japanisches|Schriftzeichen für „Zimmer frei“~japanisches
Schriftzeichen für „Gratulation“~japanisches|Schriftzeichen für „Geheimnis“~japanisches
Schriftzeichen für „Geöffnet“~japanisches|Schriftzeichen für „Kein Zimmer frei“~japanisches|roter Punkt~ball
oranger Punkt|gelber Punkt|grüner Punkt|blauer Punkt~ball|lila Punkt|brauner Punkt|schwarzer Punkt~ball
weißer Punkt~ball|rotes Quadrat|oranges Quadrat|gelbes Quadrat|grünes Quadrat|blaues Quadrat|lila Quadrat
braunes Quadrat|großes schwarzes Quadrat|großes weißes Quadrat|mittelgroßes schwarzes Quadrat
mittelgroßes weißes Quadrat|mittelkleines schwarzes Quadrat|mittelkleines weißes Quadrat|kleines schwarzes Quadrat
kleines weißes Quadrat|große orangefarbene Raute|große blaue Raute|kleine orangefarbene Raute|kleine blaue Raute
rotes Dreieck mit der Spitze nach oben~aufwärts|rotes Dreieck mit der Spitze nach unten~abwärts
Rautenform mit Punkt~diamant|Optionsfeld~schaltfläche|weiße quadratische Schaltfläche
schwarze quadratische Schaltfläche|Zielflagge~karierte rennen sport|Wimpel~dreiecksflagge flagge rot
überkreuzte Flaggen~japan japanische|schwarze Flagge~fahne wehen|weiße Flagge~fahne wehen
Regenbogenflagge~bunt fahne|Transgender-Flagge|Piratenflagge~jolly roger piratenfahne schatz|Flagge: Ascension
Flagge: Andorra|Flagge: Vereinigte Arabische Emirate|Flagge: Afghanistan|Flagge: Antigua und Barbuda
Flagge: Anguilla|Flagge: Albanien|Flagge: Armenien|Flagge: Angola|Flagge: Antarktis|Flagge: Argentinien
Flagge: Amerikanisch-Samoa|Flagge: Österreich|Flagge: Australien|Flagge: Aruba|Flagge: Ålandinseln
Flagge: Aserbaidschan|Flagge: Bosnien und Herzegowina|Flagge: Barbados|Flagge: Bangladesch|Flagge: Belgien
Flagge: Burkina Faso|Flagge: Bulgarien|Flagge: Bahrain|Flagge: Burundi|Flagge: Benin|Flagge: St. Barthélemy
Flagge: Bermuda|Flagge: Brunei Darussalam|Flagge: Bolivien|Flagge: Karibische Niederlande|Flagge: Brasilien
Flagge: Bahamas|Flagge: Bhutan|Flagge: Bouvetinsel|Flagge: Botsuana|Flagge: Belarus|Flagge: Belize|Flagge: Kanada
Flagge: Kokosinseln|Flagge: Kongo-Kinshasa|Flagge: Zentralafrikanische Republik|Flagge: Kongo-Brazzaville
Flagge: Schweiz|Flagge: Côte d’Ivoire|Flagge: Cookinseln|Flagge: Chile|Flagge: Kamerun|Flagge: China
Flagge: Kolumbien|Flagge: Clipperton-Insel|Flagge: Costa Rica|Flagge: Kuba|Flagge: Cabo Verde|Flagge: Curaçao
Flagge: Weihnachtsinsel|Flagge: Zypern|Flagge: Tschechien|Flagge: Deutschland|Flagge: Diego Garcia|Flagge: Dschibuti
Flagge: Dänemark|Flagge: Dominica|Flagge: Dominikanische Republik|Flagge: Algerien|Flagge: Ceuta und Melilla
Flagge: Ecuador|Flagge: Estland|Flagge: Ägypten|Flagge: Westsahara|Flagge: Eritrea|Flagge: Spanien|Flagge: Äthiopien
Flagge: Europäische Union|Flagge: Finnland|Flagge: Fidschi|Flagge: Falklandinseln|Flagge: Mikronesien|Flagge: Färöer
Flagge: Frankreich|Flagge: Gabun|Flagge: Vereinigtes Königreich|Flagge: Grenada|Flagge: Georgien
Flagge: Französisch-Guayana|Flagge: Guernsey|Flagge: Ghana|Flagge: Gibraltar|Flagge: Grönland|Flagge: Gambia
Flagge: Guinea|Flagge: Guadeloupe|Flagge: Äquatorialguinea|Flagge: Griechenland
Flagge: Südgeorgien und die Südlichen Sandwichinseln|Flagge: Guatemala|Flagge: Guam|Flagge: Guinea-Bissau
Flagge: Guyana|Flagge: Sonderverwaltungsregion Hongkong|Flagge: Heard und McDonaldinseln|Flagge: Honduras
Flagge: Kroatien|Flagge: Haiti|Flagge: Ungarn|Flagge: Kanarische Inseln|Flagge: Indonesien|Flagge: Irland
Flagge: Israel|Flagge: Isle of Man|Flagge: Indien|Flagge: Britisches Territorium im Indischen Ozean|Flagge: Irak
Flagge: Iran|Flagge: Island|Flagge: Italien|Flagge: Jersey|Flagge: Jamaika|Flagge: Jordanien|Flagge: Japan
Flagge: Kenia|Flagge: Kirgisistan|Flagge: Kambodscha|Flagge: Kiribati|Flagge: Komoren|Flagge: St. Kitts und Nevis
Flagge: Nordkorea|Flagge: Südkorea|Flagge: Kuwait|Flagge: Kaimaninseln|Flagge: Kasachstan|Flagge: Laos
Flagge: Libanon|Flagge: St. Lucia|Flagge: Liechtenstein|Flagge: Sri Lanka|Flagge: Liberia|Flagge: Lesotho
Flagge: Litauen|Flagge: Luxemburg|Flagge: Lettland|Flagge: Libyen|Flagge: Marokko|Flagge: Monaco
Flagge: Republik Moldau|Flagge: Montenegro|Flagge: St. Martin|Flagge: Madagaskar|Flagge: Marshallinseln
Flagge: Nordmazedonien|Flagge: Mali|Flagge: Myanmar|Flagge: Mongolei|Flagge: Sonderverwaltungsregion Macau
Flagge: Nördliche Marianen|Flagge: Martinique|Flagge: Mauretanien|Flagge: Montserrat|Flagge: Malta|Flagge: Mauritius
Flagge: Malediven|Flagge: Malawi|Flagge: Mexiko|Flagge: Malaysia|Flagge: Mosambik|Flagge: Namibia
Flagge: Neukaledonien|Flagge: Niger|Flagge: Norfolkinsel|Flagge: Nigeria|Flagge: Nicaragua|Flagge: Niederlande
Flagge: Norwegen|Flagge: Nepal|Flagge: Nauru|Flagge: Niue|Flagge: Neuseeland|Flagge: Oman|Flagge: Panama
Flagge: Peru|Flagge: Französisch-Polynesien|Flagge: Papua-Neuguinea|Flagge: Philippinen|Flagge: Pakistan
Flagge: Polen|Flagge: St. Pierre und Miquelon|Flagge: Pitcairninseln|Flagge: Puerto Rico
Flagge: Palästinensische Autonomiegebiete|Flagge: Portugal|Flagge: Palau|Flagge: Paraguay|Flagge: Katar
Flagge: Réunion|Flagge: Rumänien|Flagge: Serbien|Flagge: Russland|Flagge: Ruanda|Flagge: Saudi-Arabien
Flagge: Salomonen|Flagge: Seychellen|Flagge: Sudan|Flagge: Schweden|Flagge: Singapur|Flagge: St. Helena
Flagge: Slowenien|Flagge: Spitzbergen und Jan Mayen|Flagge: Slowakei|Flagge: Sierra Leone|Flagge: San Marino
Flagge: Senegal|Flagge: Somalia|Flagge: Suriname|Flagge: Südsudan|Flagge: São Tomé und Príncipe|Flagge: El Salvador
Flagge: Sint Maarten|Flagge: Syrien|Flagge: Eswatini|Flagge: Tristan da Cunha|Flagge: Turks- und Caicosinseln
Flagge: Tschad|Flagge: Französische Süd- und Antarktisgebiete|Flagge: Togo|Flagge: Thailand|Flagge: Tadschikistan
Flagge: Tokelau|Flagge: Timor-Leste|Flagge: Turkmenistan|Flagge: Tunesien|Flagge: Tonga|Flagge: Türkei
Flagge: Trinidad und Tobago|Flagge: Tuvalu|Flagge: Taiwan|Flagge: Tansania|Flagge: Ukraine|Flagge: Uganda
Flagge: Amerikanische Überseeinseln|Flagge: Vereinte Nationen|Flagge: Vereinigte Staaten|Flagge: Uruguay
Flagge: Usbekistan|Flagge: Vatikanstadt|Flagge: St. Vincent und die Grenadinen|Flagge: Venezuela
Flagge: Britische Jungferninseln|Flagge: Amerikanische Jungferninseln|Flagge: Vietnam|Flagge: Vanuatu
Flagge: Wallis und Futuna|Flagge: Samoa|Flagge: Kosovo|Flagge: Jemen|Flagge: Mayotte|Flagge: Südafrika
Flagge: Sambia|Flagge: Simbabwe|Flagge: England|Flagge: Schottland|Flagge: Wales`;export{e as names};
