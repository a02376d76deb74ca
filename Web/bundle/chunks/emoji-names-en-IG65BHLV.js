var e=`
grinning face|grinning face with big eyes~mouth open smile|grinning face with smiling eyes~mouth open smile
beaming face with smiling eyes~grin smile|grinning squinting face~laugh mouth satisfied smile
grinning face with sweat~cold open smile|rolling on the floor laughing~face rofl rotfl|face with tears of joy~laugh
slightly smiling face~smile|upside-down face|melting face~disappear dissolve liquid|winking face
smiling face with smiling eyes~blush smile|smiling face with halo~angel fantasy innocent
smiling face with hearts~adore crush love|smiling face with heart-eyes~love smile|star-struck~eyes face grinning
face blowing a kiss|kissing face|smiling face~outlined relaxed smile|kissing face with closed eyes
kissing face with smiling eyes~smile|smiling face with tear~grateful proud relieved touched
face savoring food~delicious savouring smile yum|face with tongue|winking face with tongue~eye joke
zany face~eye goofy large small|squinting face with tongue~eye horrible taste|money-mouth face
smiling face with open hands~hug hugging|face with hand over mouth~whoops
face with open eyes and hand over mouth~amazement awe disbelief embarrass scared surprise
face with peeking eye~captivated peep stare|shushing face~quiet|thinking face
saluting face~ok salute sunny troops yes|zipper-mouth face|face with raised eyebrow~distrust skeptic
neutral face~deadpan meh|expressionless face~inexpressive meh unexpressive|face without mouth~quiet silent
dotted line face~depressed disappear hide introvert invisible|face in clouds~absentminded the fog head|smirking face
unamused face~unhappy|face with rolling eyes~eyeroll|grimacing face~grimace
face exhaling~exhale gasp groan relief whisper whistle|lying face~lie pinocchio|relieved face|pensive face~dejected
sleepy face~good night|drooling face|sleeping face~good night zzz|face with medical mask~cold doctor sick
face with thermometer~ill sick|face with head-bandage~hurt injury|nauseated face~vomit|face vomiting~puke sick
sneezing face~gesundheit sneeze|hot face~feverish heat stroke red-faced sweating
cold face~blue-faced freezing frostbite icicles|woozy face~dizzy intoxicated tipsy uneven eyes wavy mouth
face with crossed-out eyes~dead knocked|face with spiral eyes~dizzy hypnotized trouble whoa
exploding head~mind blown shocked|cowboy hat face~cowgirl|partying face~celebration hat horn
disguised face~glasses incognito nose|smiling face with sunglasses~bright cool|nerd face~geek
face with monocle~stuffy|confused face~meh|face with diagonal mouth~disappointed meh skeptical unsure|worried face
slightly frowning face|frowning face|face with open mouth~sympathy|hushed face~stunned surprised
astonished face~shocked totally|flushed face~dazed|pleading face~begging mercy puppy eyes
face holding back tears~angry cry proud resist sad|frowning face with open mouth|anguished face|fearful face~scared
anxious face with sweat~blue cold rushed|sad but relieved face~disappointed whew|crying face~sad tear
loudly crying face~sad sob tear|face screaming in fear~munch scared|confounded face|persevering face~persevere
disappointed face|downcast face with sweat~cold|weary face~tired|tired face|yawning face~bored tired
face with steam from nose~triumph won|enraged face~angry mad pouting red|angry face~anger mad
face with symbols on mouth~swearing|smiling face with horns~fairy tale fantasy smile
angry face with horns~demon devil fantasy imp|skull~death face fairy tale monster
skull and crossbones~death face monster|pile of poo~dung face monster poop|clown face
ogre~creature face fairy tale fantasy monster|goblin~creature face fairy tale fantasy monster
ghost~creature face fairy tale fantasy monster|alien~creature extraterrestrial face fantasy ufo
alien monster~creature extraterrestrial face ufo|robot~face monster|grinning cat~face mouth open smile
grinning cat with smiling eyes~face smile|cat with tears of joy~face|smiling cat with heart-eyes~face love smile
cat with wry smile~face ironic|kissing cat~eye face|weary cat~face oh surprised|crying cat~face sad tear
pouting cat~face|see-no-evil monkey~face forbidden|hear-no-evil monkey~face forbidden
speak-no-evil monkey~face forbidden|love letter~heart mail|heart with arrow~cupid|heart with ribbon~valentine
sparkling heart~excited sparkle|growing heart~excited nervous pulse|beating heart~heartbeat pulsating
revolving hearts|two hearts~love|heart decoration|heart exclamation~mark punctuation|broken heart~break
heart on fire~burn love lust sacred|mending heart~healthier improving recovering recuperating well|red heart
orange heart|yellow heart|green heart|blue heart|purple heart|brown heart|black heart~evil wicked|white heart
kiss mark~lips|hundred points~100 full score|anger symbol~angry comic mad|collision~boom comic|dizzy~comic star
sweat droplets~comic splashing|dashing away~comic running|hole|speech balloon~bubble comic dialog
eye in speech bubble~balloon witness|left speech bubble~balloon dialog|right anger bubble~angry balloon mad
thought balloon~bubble comic|ZZZ~comic good night sleep|waving hand~wave|raised back of hand~backhand
hand with fingers splayed|raised hand~high 5 five|vulcan salute~finger hand spock|rightwards hand|leftwards hand
palm down hand~dismiss drop shoo|palm up hand~beckon catch come offer|OK hand
pinched fingers~hand gesture interrogation sarcastic|pinching hand~small amount|victory hand
crossed fingers~hand luck|hand with index finger and thumb crossed~expensive heart love money snap
love-you gesture~hand ily|sign of the horns~finger hand rock-on|call me hand~hang loose shaka
backhand index pointing left~finger|backhand index pointing right~finger|backhand index pointing up~finger
middle finger~hand|backhand index pointing down~finger|index pointing up~finger hand
index pointing at the viewer~you|thumbs up~+1 hand|thumbs down~-1 hand|raised fist~clenched hand punch
oncoming fist~clenched hand punch|left-facing fist~leftwards|right-facing fist~rightwards|clapping hands
raising hands~celebration gesture hooray raised|heart hands~love|open hands|palms up together~prayer
handshake~agreement meeting|folded hands~ask high 5 five please pray thanks|writing hand~write
nail polish~care cosmetics manicure|selfie~camera phone|flexed biceps~comic muscle
mechanical arm~accessibility prosthetic|mechanical leg~accessibility prosthetic|leg~kick limb|foot~kick stomp
ear~body|ear with hearing aid~accessibility hard of|nose~body|brain~intelligent
anatomical heart~cardiology organ pulse|lungs~breath exhalation inhalation organ respiration|tooth~dentist
bone~skeleton|eyes~face|eye~body|tongue~body|mouth~lips
biting lip~anxious fear flirting nervous uncomfortable worried|baby~young
child~gender-neutral unspecified gender young|boy~young|girl~virgo young zodiac
person~adult gender-neutral unspecified gender|person: blond hair~blond-haired|man~adult|person: beard|man: beard
woman: beard|man: red hair~adult|man: curly hair~adult|man: white hair~adult|man: bald~adult|woman~adult
woman: red hair~adult|person: red hair~adult gender-neutral unspecified gender|woman: curly hair~adult
person: curly hair~adult gender-neutral unspecified gender|woman: white hair~adult
person: white hair~adult gender-neutral unspecified gender|woman: bald~adult
person: bald~adult gender-neutral unspecified gender|woman: blond hair~blond-haired blonde
man: blond hair~blond-haired|older person~adult gender-neutral unspecified gender|old man~adult|old woman~adult
person frowning~gesture|man frowning~gesture|woman frowning~gesture|person pouting~gesture|man pouting~gesture
woman pouting~gesture|person gesturing NO~forbidden gesture hand prohibited
man gesturing NO~forbidden gesture hand prohibited|woman gesturing NO~forbidden gesture hand prohibited
person gesturing OK~gesture hand|man gesturing OK~gesture hand|woman gesturing OK~gesture hand
person tipping hand~help information sassy|man tipping hand~sassy|woman tipping hand~sassy
person raising hand~gesture happy raised|man raising hand~gesture|woman raising hand~gesture
deaf person~accessibility ear hear|deaf man|deaf woman|person bowing~apology gesture sorry
man bowing~apology favor gesture sorry|woman bowing~apology favor gesture sorry
person facepalming~disbelief exasperation|man facepalming~disbelief exasperation
woman facepalming~disbelief exasperation|person shrugging~doubt ignorance indifference
man shrugging~doubt ignorance indifference|woman shrugging~doubt ignorance indifference
health worker~doctor healthcare nurse therapist|man health worker~doctor healthcare nurse therapist
woman health worker~doctor healthcare nurse therapist|student~graduate|man student~graduate|woman student~graduate
teacher~instructor professor|man teacher~instructor professor|woman teacher~instructor professor
judge~justice scales|man judge~justice scales|woman judge~justice scales|farmer~gardener rancher
man farmer~gardener rancher|woman farmer~gardener rancher|cook~chef|man cook~chef|woman cook~chef
mechanic~electrician plumber tradesperson|man mechanic~electrician plumber tradesperson
woman mechanic~electrician plumber tradesperson|factory worker~assembly industrial
man factory worker~assembly industrial|woman factory worker~assembly industrial
office worker~architect business manager white-collar|man office worker~architect business manager white-collar
woman office worker~architect business manager white-collar|scientist~biologist chemist engineer physicist
man scientist~biologist chemist engineer physicist|woman scientist~biologist chemist engineer physicist
technologist~coder developer inventor software|man technologist~coder developer inventor software
woman technologist~coder developer inventor software|singer~actor entertainer rock star
man singer~actor entertainer rock star|woman singer~actor entertainer rock star|artist~palette|man artist~palette
woman artist~palette|pilot~plane|man pilot~plane|woman pilot~plane|astronaut~rocket|man astronaut~rocket
woman astronaut~rocket|firefighter~firetruck|man firefighter~firetruck|woman firefighter~firetruck
police officer~cop|man police officer~cop|woman police officer~cop|detective~sleuth spy|man detective~sleuth spy
woman detective~sleuth spy|guard|man guard|woman guard|ninja~fighter hidden stealth|construction worker~hat
man construction worker|woman construction worker|person with crown~monarch noble regal royalty|prince
princess~fairy tale fantasy|person wearing turban|man wearing turban|woman wearing turban
person with skullcap~gua pi mao hat|woman with headscarf~hijab mantilla tichel|person in tuxedo~groom|man in tuxedo
woman in tuxedo|person with veil~bride wedding|man with veil|woman with veil|pregnant woman
pregnant man~belly bloated full|pregnant person~belly bloated full|breast-feeding~baby nursing
woman feeding baby~nursing|man feeding baby~nursing|person feeding baby~nursing|baby angel~face fairy tale fantasy
Santa Claus~celebration christmas father|Mrs. Claus~celebration christmas mother|mx claus~christmas
superhero~good heroine superpower|man superhero~good superpower|woman superhero~good heroine superpower
supervillain~criminal evil superpower|man supervillain~criminal evil superpower
woman supervillain~criminal evil superpower|mage~sorcerer sorceress witch wizard|man mage~sorcerer wizard
woman mage~sorceress witch|fairy~oberon puck titania|man fairy~oberon puck|woman fairy~titania
vampire~dracula undead|man vampire~dracula undead|woman vampire~undead|merperson~mermaid merman merwoman
merman~triton|mermaid~merwoman|elf~magical|man elf~magical|woman elf~magical|genie~djinn|man genie~djinn
woman genie~djinn|zombie~undead walking dead|man zombie~undead walking dead|woman zombie~undead walking dead
troll~fairy tale fantasy monster|person getting massage~face salon|man getting massage~face
woman getting massage~face|person getting haircut~barber beauty parlor|man getting haircut|woman getting haircut
person walking~hike|man walking~hike|woman walking~hike|person standing|man standing|woman standing|person kneeling
man kneeling|woman kneeling|person with white cane~accessibility blind|man with white cane~accessibility blind
woman with white cane~accessibility blind|person in motorized wheelchair~accessibility
man in motorized wheelchair~accessibility|woman in motorized wheelchair~accessibility
person in manual wheelchair~accessibility|man in manual wheelchair~accessibility
woman in manual wheelchair~accessibility|person running~marathon|man running~marathon racing
woman running~marathon racing|woman dancing~dance|man dancing~dance|person in suit levitating~business
people with bunny ears~dancer partying|men with bunny ears~dancer partying|women with bunny ears~dancer partying
person in steamy room~sauna|man in steamy room~sauna|woman in steamy room~sauna|person climbing~climber
man climbing~climber|woman climbing~climber|person fencing~fencer sword|horse racing~jockey racehorse|skier~snow
snowboarder~ski|person golfing~ball|man golfing|woman golfing|person surfing|man surfing|woman surfing
person rowing boat~rowboat|man rowing boat~rowboat|woman rowing boat~rowboat|person swimming|man swimming
woman swimming|person bouncing ball|man bouncing ball|woman bouncing ball|person lifting weights~lifter
man lifting weights~lifter|woman lifting weights~lifter|person biking~bicycle cyclist|man biking~bicycle cyclist
woman biking~bicycle cyclist|person mountain biking~bicycle bicyclist bike cyclist
man mountain biking~bicycle bike cyclist|woman mountain biking~bicycle bike cyclist|person cartwheeling~gymnastics
man cartwheeling~gymnastics|woman cartwheeling~gymnastics|people wrestling~wrestle wrestler|men wrestling~wrestle
women wrestling~wrestle|person playing water polo|man playing water polo|woman playing water polo
person playing handball|man playing handball|woman playing handball|person juggling~balance juggle multitask skill
man juggling~multitask|woman juggling~multitask|person in lotus position~meditation yoga
man in lotus position~meditation yoga|woman in lotus position~meditation yoga|person taking bath~bathtub
person in bed~good night hotel sleep|people holding hands~couple person|women holding hands~couple
woman and man holding hands~couple|men holding hands~couple gemini man twins zodiac|kiss~couple
kiss: woman, man~couple|kiss: man, man~couple|kiss: woman, woman~couple|couple with heart~love
couple with heart: woman, man~love|couple with heart: man, man~love|couple with heart: woman, woman~love|family
family: man, woman, boy|family: man, woman, girl|family: man, woman, girl, boy|family: man, woman, boy, boy
family: man, woman, girl, girl|family: man, man, boy|family: man, man, girl|family: man, man, girl, boy
family: man, man, boy, boy|family: man, man, girl, girl|family: woman, woman, boy|family: woman, woman, girl
family: woman, woman, girl, boy|family: woman, woman, boy, boy|family: woman, woman, girl, girl|family: man, boy
family: man, boy, boy|family: man, girl|family: man, girl, boy|family: man, girl, girl|family: woman, boy
family: woman, boy, boy|family: woman, girl|family: woman, girl, boy|family: woman, girl, girl
speaking head~face silhouette|bust in silhouette|busts in silhouette|people hugging~goodbye hello thanks
footprints~clothing|monkey face|monkey|gorilla|orangutan~ape|dog face~pet|dog~pet|guide dog~accessibility blind
service dog~accessibility assistance|poodle~dog|wolf~face|fox~face|raccoon~curious sly|cat face~pet|cat~pet
black cat~unlucky|lion~face leo zodiac|tiger face|tiger|leopard|horse face|horse~equestrian racehorse racing
unicorn~face|zebra~stripe|deer|bison~buffalo herd wisent|cow face|ox~bull taurus zodiac|water buffalo|cow|pig face
pig~sow|boar~pig|pig nose~face|ram~aries male sheep zodiac|ewe~female sheep|goat~capricorn zodiac
camel~dromedary hump|two-hump camel~bactrian|llama~alpaca guanaco vicuña wool|giraffe~spots|elephant
mammoth~extinction large tusk woolly|rhinoceros|hippopotamus|mouse face|mouse|rat|hamster~face pet
rabbit face~bunny pet|rabbit~bunny pet|chipmunk~squirrel|beaver~dam|hedgehog~spiny|bat~vampire|bear~face
polar bear~arctic white|koala~face marsupial|panda~face|sloth~lazy slow|otter~fishing playful|skunk~stink
kangaroo~australia joey jump marsupial|badger~honey pester|paw prints~feet|turkey~bird|chicken~bird|rooster~bird
hatching chick~baby bird|baby chick~bird|front-facing baby chick~bird|bird|penguin~bird|dove~bird fly peace
eagle~bird|duck~bird|swan~bird cygnet ugly duckling|owl~bird wise|dodo~extinction large mauritius
feather~bird flight light plumage|flamingo~flamboyant tropical|peacock~bird ostentatious peahen proud
parrot~bird pirate talk|frog~face|crocodile|turtle~terrapin tortoise|lizard~reptile
snake~bearer ophiuchus serpent zodiac|dragon face~fairy tale|dragon~fairy tale
sauropod~brachiosaurus brontosaurus diplodocus|T-Rex~tyrannosaurus|spouting whale~face|whale|dolphin~flipper
seal~lion|fish~pisces zodiac|tropical fish|blowfish|shark~fish|octopus|spiral shell|coral~ocean reef|snail
butterfly~insect pretty|bug~insect|ant~insect|honeybee~insect|beetle~bug insect|lady beetle~insect ladybird ladybug
cricket~grasshopper|cockroach~insect pest|spider~insect|spider web|scorpion~zodiac
mosquito~disease fever malaria pest virus|fly~disease maggot pest rotting|worm~annelid earthworm parasite
microbe~amoeba bacteria virus|bouquet~flower|cherry blossom~flower|white flower
lotus~buddhism flower hinduism india purity vietnam|rosette~plant|rose~flower|wilted flower|hibiscus~flower
sunflower|blossom~flower|tulip~flower|seedling~young|potted plant~boring grow house nurturing useless|evergreen tree
deciduous tree~shedding|palm tree|cactus~plant|sheaf of rice~ear grain|herb~leaf|shamrock~plant
four leaf clover~4 four-leaf|maple leaf~falling|fallen leaf~falling|leaf fluttering in wind~blow|empty nest~nesting
nest with eggs~nesting|mushroom~toadstool|grapes~fruit|melon~fruit|watermelon~fruit|tangerine~fruit orange
lemon~citrus fruit|banana~fruit|pineapple~fruit|mango~fruit tropical|red apple~fruit|green apple~fruit|pear~fruit
peach~fruit|cherries~berries cherry fruit red|strawberry~fruit|blueberries~berry bilberry blueberry|kiwi fruit~food
tomato~fruit vegetable|olive~food|coconut~palm piña colada|avocado~food fruit|eggplant~aubergine vegetable
potato~food vegetable|carrot~food vegetable|ear of corn~maize maze|hot pepper|bell pepper~capsicum vegetable
cucumber~food pickle vegetable|leafy green~bok choy cabbage kale lettuce|broccoli~wild cabbage|garlic~flavoring
onion~flavoring|peanuts~food vegetable|beans~food kidney legume|chestnut~plant|bread~loaf
croissant~bread breakfast food french roll|baguette bread~food french|flatbread~arepa lavash naan pita
pretzel~twisted|bagel~bakery breakfast schmear|pancakes~breakfast crêpe food hotcake
waffle~breakfast indecisive iron|cheese wedge|meat on bone|poultry leg~bone chicken drumstick
cut of meat~chop lambchop porkchop steak|bacon~breakfast food meat|hamburger|french fries|pizza~cheese slice
hot dog~frankfurter hotdog sausage|sandwich~bread|taco~mexican|burrito~mexican wrap|tamale~mexican wrapped
stuffed flatbread~falafel food gyro kebab|falafel~chickpea meatball|egg~breakfast food
cooking~breakfast egg frying pan|shallow pan of food~casserole paella|pot of food~stew
fondue~cheese chocolate melted pot swiss|bowl with spoon~breakfast cereal congee|green salad~food|popcorn
butter~dairy|salt~condiment shaker|canned food|bento box|rice cracker|rice ball~japanese|cooked rice|curry rice
steaming bowl~noodle ramen|spaghetti~pasta|roasted sweet potato|oden~kebab seafood skewer stick|sushi
fried shrimp~prawn tempura|fish cake with swirl~pastry|moon cake~autumn festival yuèbǐng
dango~dessert japanese skewer stick sweet|dumpling~empanada gyōza jiaozi pierogi potsticker|fortune cookie~prophecy
takeout box~oyster pail|crab~cancer zodiac|lobster~bisque claws seafood|shrimp~food shellfish small
squid~food molusc|oyster~diving pearl|soft ice cream~dessert icecream sweet|shaved ice~dessert sweet
ice cream~dessert sweet|doughnut~breakfast dessert donut sweet|cookie~dessert sweet
birthday cake~celebration dessert pastry sweet|shortcake~dessert pastry slice sweet|cupcake~bakery sweet
pie~filling pastry|chocolate bar~dessert sweet|candy~dessert sweet|lollipop~candy dessert sweet
custard~dessert pudding sweet|honey pot~honeypot sweet|baby bottle~drink milk|glass of milk~drink
hot beverage~coffee drink steaming tea|teapot~drink|teacup without handle~beverage drink
sake~bar beverage bottle cup drink|bottle with popping cork~bar drink|wine glass~bar beverage drink
cocktail glass~bar drink|tropical drink~bar|beer mug~bar drink|clinking beer mugs~bar drink
clinking glasses~celebrate drink|tumbler glass~liquor shot whisky|pouring liquid~drink empty glass spill
cup with straw~juice soda|bubble tea~milk pearl|beverage box~juice straw sweet|mate~drink|ice~cold cube iceberg
chopsticks~hashi|fork and knife with plate~cooking|fork and knife~cooking cutlery|spoon~tableware
kitchen knife~cooking hocho tool weapon|jar~condiment container empty sauce store
amphora~aquarius cooking drink jug zodiac|globe showing Europe-Africa~earth world|globe showing Americas~earth world
globe showing Asia-Australia~earth world|globe with meridians~earth world|world map|map of Japan
compass~magnetic navigation orienteering|snow-capped mountain~cold|mountain|volcano~eruption mountain
mount fuji~mountain|camping|beach with umbrella|desert|desert island|national park|stadium|classical building
building construction|brick~bricks clay mortar wall|rock~boulder heavy solid stone|wood~log lumber timber
hut~house roundhouse yurt|houses|derelict house|house~home|house with garden~home|office building
Japanese post office|post office~european|hospital~doctor medicine|bank~building|hotel~building|love hotel
convenience store|school~building|department store|factory~building|Japanese castle|castle~european
wedding~chapel romance|Tokyo tower|Statue of Liberty|church~christian cross religion|mosque~islam muslim religion
hindu temple|synagogue~jew jewish religion temple|shinto shrine~religion|kaaba~islam muslim religion|fountain
tent~camping|foggy|night with stars|cityscape|sunrise over mountains~morning|sunrise~morning
cityscape at dusk~evening landscape sunset|sunset~dusk|bridge at night|hot springs~hotsprings steaming
carousel horse|playground slide~amusement park|ferris wheel~amusement park|roller coaster~amusement park
barber pole~haircut|circus tent|locomotive~engine railway steam train|railway car~electric train tram trolleybus
high-speed train~railway shinkansen|bullet train~railway shinkansen speed|train~railway|metro~subway
light rail~railway|station~railway train|tram~trolleybus|monorail~vehicle|mountain railway~car|tram car~trolleybus
bus~vehicle|oncoming bus|trolleybus~tram|minibus|ambulance~vehicle|fire engine~truck|police car~patrol
oncoming police car|taxi~vehicle|oncoming taxi|automobile~car|oncoming automobile~car
sport utility vehicle~recreational|pickup truck~pick-up|delivery truck|articulated lorry~semi truck|tractor~vehicle
racing car|motorcycle~racing|motor scooter|manual wheelchair~accessibility|motorized wheelchair~accessibility
auto rickshaw~tuk|bicycle~bike|kick scooter|skateboard|roller skate|bus stop|motorway~highway road
railway track~train|oil drum|fuel pump~diesel fuelpump gas station|wheel~circle tire turn
police car light~beacon revolving|horizontal traffic light~signal|vertical traffic light~signal|stop sign~octagonal
construction~barrier|anchor~ship tool|ring buoy~float life preserver saver rescue safety|sailboat~resort sea yacht
canoe~boat|speedboat|passenger ship|ferry~boat passenger|motor boat~motorboat|ship~boat passenger|airplane~aeroplane
small airplane~aeroplane|airplane departure~aeroplane check-in departures
airplane arrival~aeroplane arrivals arriving landing|parachute~hang-glide parasail skydive|seat~chair
helicopter~vehicle|suspension railway|mountain cableway~gondola|aerial tramway~cable car gondola|satellite~space
rocket~space|flying saucer~ufo|bellhop bell~hotel|luggage~packing travel|hourglass done~sand timer
hourglass not done~sand timer|watch~clock|alarm clock|stopwatch~clock|timer clock|mantelpiece clock
twelve o’clock~00 12|twelve-thirty~12 30 clock|one o’clock~00 1|one-thirty~1 30 clock|two o’clock~00 2
two-thirty~2 30 clock|three o’clock~00 3|three-thirty~3 30 clock|four o’clock~00 4|four-thirty~4 30 clock
five o’clock~00 5|five-thirty~5 30 clock|six o’clock~00 6|six-thirty~6 30 clock|seven o’clock~00 7
seven-thirty~7 30 clock|eight o’clock~00 8|eight-thirty~8 30 clock|nine o’clock~00 9|nine-thirty~9 30 clock
ten o’clock~00 10|ten-thirty~10 30 clock|eleven o’clock~00 11|eleven-thirty~11 30 clock|new moon~dark
waxing crescent moon|first quarter moon|waxing gibbous moon|full moon|waning gibbous moon|last quarter moon
waning crescent moon|crescent moon|new moon face|first quarter moon face|last quarter moon face|thermometer~weather
sun~bright rays sunny|full moon face~bright|sun with face~bright|ringed planet~saturn saturnine|star
glowing star~glittery shining sparkle|shooting star~falling|milky way~space|cloud~weather|sun behind cloud
cloud with lightning and rain~thunder|sun behind small cloud|sun behind large cloud|sun behind rain cloud
cloud with rain|cloud with snow~cold|cloud with lightning|tornado~cloud whirlwind|fog~cloud|wind face~blow cloud
cyclone~dizzy hurricane twister typhoon|rainbow|closed umbrella~clothing rain|umbrella~clothing rain
umbrella with rain drops~clothing|umbrella on ground~rain sun|high voltage~danger electric lightning zap
snowflake~cold|snowman~cold|snowman without snow~cold|comet~space|fire~flame tool|droplet~cold comic sweat
water wave~ocean|jack-o-lantern~celebration halloween|Christmas tree~celebration|fireworks~celebration
sparkler~celebration fireworks|firecracker~dynamite explosive fireworks|sparkles~* star|balloon~celebration
party popper~celebration tada|confetti ball~celebration|tanabata tree~banner celebration japanese
pine decoration~bamboo celebration japanese|Japanese dolls~celebration festival|carp streamer~celebration
wind chime~bell celebration|moon viewing ceremony~celebration|red envelope~gift good luck hóngbāo lai see money
ribbon~celebration|wrapped gift~box celebration present|reminder ribbon~celebration|admission tickets
ticket~admission|military medal~celebration|trophy~prize|sports medal|1st place medal~first gold
2nd place medal~second silver|3rd place medal~bronze third|soccer ball~football|baseball|softball~glove underarm
basketball~hoop|volleyball~game|american football|rugby football|tennis~ball racquet|flying disc~ultimate
bowling~ball game|cricket game~ball bat|field hockey~ball game stick|ice hockey~game puck stick
lacrosse~ball goal stick|ping pong~ball bat game paddle table tennis|badminton~birdie game racquet shuttlecock
boxing glove|martial arts uniform~judo karate taekwondo|goal net|flag in hole~golf|ice skate|fishing pole
diving mask~scuba snorkeling|running shirt~athletics sash|skis~snow|sled~sledge sleigh|curling stone~game rock
bullseye~dart direct hit game target|yo-yo~fluctuate toy|kite~fly soar|water pistol~gun handgun revolver tool weapon
pool 8 ball~billiard eight game|crystal ball~fairy tale fantasy fortune tool|magic wand~witch wizard
video game~controller|joystick~game video|slot machine~game|game die~dice|puzzle piece~clue interlocking jigsaw
teddy bear~plaything plush stuffed toy|piñata~celebration party|mirror ball~dance disco glitter party
nesting dolls~russia|spade suit~card game|heart suit~card game|diamond suit~card game|club suit~card game
chess pawn~dupe expendable|joker~card game wildcard|mahjong red dragon~game|flower playing cards~game japanese
performing arts~mask theater theatre|framed picture~art museum painting|artist palette~museum painting
thread~needle sewing spool string|sewing needle~embroidery stitches sutures tailoring|yarn~ball crochet knit
knot~rope tangled tie twine twist|glasses~clothing eye eyeglasses eyewear|sunglasses~dark eye eyewear
goggles~eye protection swimming welding|lab coat~doctor experiment scientist|safety vest~emergency|necktie~clothing
t-shirt~clothing tshirt|jeans~clothing pants trousers|scarf~neck|gloves~hand|coat~jacket|socks~stocking
dress~clothing|kimono~clothing|sari~clothing dress|one-piece swimsuit~bathing
briefs~bathing suit one-piece swimsuit underwear|shorts~bathing suit pants underwear|bikini~clothing swim
woman’s clothes~clothing|purse~clothing coin|handbag~clothing purse|clutch bag~clothing pouch|shopping bags~hotel
backpack~bag rucksack satchel school|thong sandal~beach sandals thongs zōri|man’s shoe~clothing
running shoe~athletic clothing sneaker|hiking boot~backpacking camping|flat shoe~ballet slip-on slipper
high-heeled shoe~clothing woman|woman’s sandal~clothing shoe|ballet shoes~dance|woman’s boot~clothing shoe
crown~clothing king queen|woman’s hat~clothing|top hat~clothing tophat|graduation cap~celebration clothing hat
billed cap~baseball|military helmet~army soldier warrior|rescue worker’s helmet~aid cross face hat
prayer beads~clothing necklace religion|lipstick~cosmetics makeup|ring~diamond|gem stone~diamond jewel
muted speaker~quiet silent|speaker low volume~soft|speaker medium volume|speaker high volume~loud
loudspeaker~public address|megaphone~cheering|postal horn|bell|bell with slash~forbidden mute quiet silent
musical score|musical note|musical notes|studio microphone~music|level slider~music|control knobs~music
microphone~karaoke|headphone~earbud|radio~video|saxophone~instrument music|accordion~concertina squeeze box
guitar~instrument music|musical keyboard~instrument piano|trumpet~instrument music|violin~instrument music
banjo~music stringed|drum~drumsticks music|long drum~beat conga rhythm|mobile phone~cell telephone
mobile phone with arrow~cell receive|telephone|telephone receiver|pager|fax machine|battery
low battery~electronic energy|electric plug~electricity|laptop~computer pc personal|desktop computer
printer~computer|keyboard~computer|computer mouse|trackball~computer|computer disk~minidisk optical
floppy disk~computer|optical disk~cd computer|dvd~blu-ray computer disk optical|abacus~calculation
movie camera~cinema|film frames~cinema movie|film projector~cinema movie video|clapper board~movie
television~tv video|camera~video|camera with flash~video|video camera|videocassette~tape vhs
magnifying glass tilted left~search tool|magnifying glass tilted right~search tool|candle~light
light bulb~comic electric idea|flashlight~electric tool torch|red paper lantern~bar light|diya lamp~oil
notebook with decorative cover~decorated|closed book|open book|green book|blue book|orange book|books|notebook
ledger~notebook|page with curl~document|scroll~paper|page facing up~document|newspaper|rolled-up newspaper
bookmark tabs~marker|bookmark|label|money bag~dollar moneybag|coin~gold metal money silver treasure
yen banknote~bill currency money|dollar banknote~bill currency money|euro banknote~bill currency money
pound banknote~bill currency money|money with wings~banknote bill fly|credit card~money
receipt~accounting bookkeeping evidence proof|chart increasing with yen~graph growth money|envelope~email letter
e-mail~email letter|incoming envelope~e-mail email letter receive|envelope with arrow~e-mail email outgoing
outbox tray~letter mail sent|inbox tray~letter mail receive|package~box parcel
closed mailbox with raised flag~postbox|closed mailbox with lowered flag~postbox
open mailbox with raised flag~postbox|open mailbox with lowered flag~postbox|postbox~mail mailbox
ballot box with ballot|pencil|black nib~pen|fountain pen|pen~ballpoint|paintbrush~painting|crayon|memo~pencil
briefcase|file folder|open file folder|card index dividers|calendar~date|tear-off calendar|spiral notepad
spiral calendar~pad|card index~rolodex|chart increasing~graph growth trend upward|chart decreasing~down graph trend
bar chart~graph|clipboard|pushpin|round pushpin|paperclip|linked paperclips|straight ruler~edge
triangular ruler~set triangle|scissors~cutting tool|card file box|file cabinet~filing|wastebasket|locked~closed
unlocked~open|locked with pen~ink nib privacy|locked with key~closed secure|key~lock password|old key~clue lock
hammer~tool|axe~chop hatchet split wood|pick~mining tool|hammer and pick~tool|hammer and wrench~spanner tool
dagger~knife weapon|crossed swords~weapon|bomb~comic|boomerang~australia rebound repercussion
bow and arrow~archer sagittarius zodiac|shield~weapon|carpentry saw~carpenter lumber tool|wrench~spanner tool
screwdriver~tool|nut and bolt~tool|gear~cog cogwheel tool|clamp~compress tool vice
balance scale~justice libra zodiac|white cane~accessibility blind|link|chains
hook~catch crook curve ensnare selling point|toolbox~chest mechanic|magnet~attraction horseshoe magnetic
ladder~climb rung step|alembic~chemistry tool|test tube~chemist chemistry experiment lab science
petri dish~bacteria biologist biology culture lab|dna~biologist evolution gene genetics life|microscope~science tool
telescope~science tool|satellite antenna~dish|syringe~medicine needle shot sick
drop of blood~bleed donation injury medicine menstruation|pill~doctor medicine sick|adhesive bandage
crutch~cane disability hurt mobility aid stick|stethoscope~doctor heart medicine|x-ray~bones doctor medical skeleton
door|elevator~accessibility hoist lift|mirror~reflection reflector speculum
window~frame fresh air opening transparent view|bed~hotel sleep|couch and lamp~hotel|chair~seat sit|toilet
plunger~force cup plumber suction toilet|shower~water|bathtub|mouse trap~bait mousetrap snare|razor~sharp shave
lotion bottle~moisturizer shampoo sunscreen|safety pin~diaper punk rock|broom~cleaning sweeping witch
basket~farming laundry picnic|roll of paper~towels toilet|bucket~cask pail vat
soap~bar bathing cleaning lather soapdish|bubbles~burp clean soap underwater
toothbrush~bathroom clean dental hygiene teeth|sponge~absorbing cleaning porous|fire extinguisher~quench
shopping cart~trolley|cigarette~smoking|coffin~death|headstone~cemetery grave graveyard tombstone
funeral urn~ashes death|nazar amulet~bead charm evil-eye talisman|hamsa~amulet fatima hand mary miriam protection
moai~face moyai statue|placard~demonstration picket protest sign|identification card~credentials license security
ATM sign~automated bank teller|litter in bin sign|potable water~drinking|wheelchair symbol~access
men’s room~bathroom lavatory man restroom toilet wc|women’s room~bathroom lavatory restroom toilet wc woman
restroom~bathroom lavatory toilet wc|baby symbol~changing|water closet~bathroom lavatory restroom toilet wc
passport control|customs|baggage claim|left luggage~baggage locker|warning|children crossing~pedestrian traffic
no entry~forbidden not prohibited traffic|prohibited~entry forbidden no not|no bicycles~bike forbidden prohibited
no smoking~forbidden not prohibited|no littering~forbidden not prohibited|non-potable water~non-drinking
no pedestrians~forbidden not prohibited|no mobile phones~cell forbidden
no one under eighteen~18 age restriction prohibited underage|radioactive~sign|biohazard~sign
up arrow~cardinal direction north|up-right arrow~direction intercardinal northeast
right arrow~cardinal direction east|down-right arrow~direction intercardinal southeast
down arrow~cardinal direction south|down-left arrow~direction intercardinal southwest
left arrow~cardinal direction west|up-left arrow~direction intercardinal northwest|up-down arrow|left-right arrow
right arrow curving left|left arrow curving right|right arrow curving up|right arrow curving down
clockwise vertical arrows~reload|counterclockwise arrows button~anticlockwise withershins|BACK arrow|END arrow
ON! arrow~mark|SOON arrow|TOP arrow~up|place of worship~religion|atom symbol~atheist|om~hindu religion
star of David~jew jewish religion|wheel of dharma~buddhist religion|yin yang~religion tao taoist
latin cross~christian religion|orthodox cross~christian religion|star and crescent~islam muslim religion
peace symbol|menorah~candelabrum candlestick religion|dotted six-pointed star~fortune|Aries~ram zodiac
Taurus~bull ox zodiac|Gemini~twins zodiac|Cancer~crab zodiac|Leo~lion zodiac|Virgo~zodiac
Libra~balance justice scales zodiac|Scorpio~scorpion scorpius zodiac|Sagittarius~archer zodiac|Capricorn~goat zodiac
Aquarius~bearer water zodiac|Pisces~fish zodiac|Ophiuchus~bearer serpent snake zodiac
shuffle tracks button~arrow crossed|repeat button~arrow clockwise|repeat single button~arrow clockwise once
play button~arrow right triangle|fast-forward button~arrow double|next track button~arrow scene triangle
play or pause button~arrow right triangle|reverse button~arrow left triangle|fast reverse button~arrow double rewind
last track button~arrow previous scene triangle|upwards button~arrow red|fast up button~arrow double
downwards button~arrow red|fast down button~arrow double|pause button~bar double vertical|stop button~square
record button~circle|eject button|cinema~camera film movie|dim button~brightness low|bright button~brightness
antenna bars~cell mobile phone|vibration mode~cell mobile phone telephone|mobile phone off~cell telephone
female sign~woman|male sign~man|transgender symbol|multiply~× cancel multiplication sign x|plus~+ math sign
minus~- − math sign|divide~÷ division math sign|heavy equals sign~equality math|infinity~forever unbounded universal
double exclamation mark~! !! bangbang|exclamation question mark~! !? ? interrobang punctuation
red question mark~? punctuation|white question mark~? outlined punctuation
white exclamation mark~! outlined punctuation|red exclamation mark~! punctuation|wavy dash~punctuation
currency exchange~bank money|heavy dollar sign~currency money|medical symbol~aesculapius medicine staff
recycling symbol~recycle|fleur-de-lis|trident emblem~anchor ship tool|name badge
Japanese symbol for beginner~chevron leaf|hollow red circle~large|check mark button~✓|check box with check~✓
check mark~✓|cross mark~× cancel multiplication multiply x|cross mark button~× square x|curly loop|double curly loop
part alternation mark|eight-spoked asterisk~*|eight-pointed star~*|sparkle~*|copyright|registered
trade mark~tm trademark|keycap: #|keycap: *|keycap: 0|keycap: 1|keycap: 2|keycap: 3|keycap: 4|keycap: 5|keycap: 6
keycap: 7|keycap: 8|keycap: 9|keycap: 10|input latin uppercase~abcd letters|input latin lowercase~abcd letters
input numbers~1234|input symbols~〒♪&%|input latin letters~abc alphabet|A button (blood type)|AB button (blood type)
B button (blood type)|CL button|COOL button|FREE button|information|ID button~identity|circled M|NEW button
NG button|O button (blood type)|OK button|P button~parking|SOS button~help|UP! button~mark|VS button~versus
Japanese “here” button~katakana ココ|Japanese “service charge” button~katakana サ
Japanese “monthly amount” button~ideograph 月|Japanese “not free of charge” button~ideograph 有
Japanese “reserved” button~ideograph 指|Japanese “bargain” button~ideograph 得|Japanese “discount” button~ideograph 割
Japanese “free of charge” button~ideograph 無|Japanese “prohibited” button~ideograph 禁
Japanese “acceptable” button~ideograph 可|Japanese “application” button~ideograph 申
Japanese “passing grade” button~ideograph 合|Japanese “vacancy” button~ideograph 空
Japanese “congratulations” button~ideograph 祝|Japanese “secret” button~ideograph 秘
Japanese “open for business” button~ideograph 営|Japanese “no vacancy” button~ideograph 満|red circle~geometric
orange circle|yellow circle|green circle|blue circle~geometric|purple circle|brown circle|black circle~geometric
white circle~geometric|red square|orange square|yellow square|green square|blue square|purple square|brown square
black large square~geometric|white large square~geometric|black medium square~geometric
white medium square~geometric|black medium-small square~geometric|white medium-small square~geometric
black small square~geometric|white small square~geometric|large orange diamond~geometric
large blue diamond~geometric|small orange diamond~geometric|small blue diamond~geometric
red triangle pointed up~geometric|red triangle pointed down~geometric|diamond with a dot~comic geometric inside
radio button~geometric|white square button~geometric outlined|black square button~geometric
chequered flag~checkered racing|triangular flag~post|crossed flags~celebration japanese|black flag~waving
white flag~waving|rainbow flag~pride|transgender flag~light blue pink white|pirate flag~jolly roger plunder treasure
flag: Ascension Island|flag: Andorra|flag: United Arab Emirates|flag: Afghanistan|flag: Antigua & Barbuda
flag: Anguilla|flag: Albania|flag: Armenia|flag: Angola|flag: Antarctica|flag: Argentina|flag: American Samoa
flag: Austria|flag: Australia|flag: Aruba|flag: Åland Islands|flag: Azerbaijan|flag: Bosnia & Herzegovina
flag: Barbados|flag: Bangladesh|flag: Belgium|flag: Burkina Faso|flag: Bulgaria|flag: Bahrain|flag: Burundi
flag: Benin|flag: St. Barthélemy|flag: Bermuda|flag: Brunei|flag: Bolivia|flag: Caribbean Netherlands|flag: Brazil
flag: Bahamas|flag: Bhutan|flag: Bouvet Island|flag: Botswana|flag: Belarus|flag: Belize|flag: Canada
flag: Cocos (Keeling) Islands|flag: Congo - Kinshasa|flag: Central African Republic|flag: Congo - Brazzaville
flag: Switzerland|flag: Côte d’Ivoire|flag: Cook Islands|flag: Chile|flag: Cameroon|flag: China|flag: Colombia
flag: Clipperton Island|flag: Costa Rica|flag: Cuba|flag: Cape Verde|flag: Curaçao|flag: Christmas Island
flag: Cyprus|flag: Czechia|flag: Germany|flag: Diego Garcia|flag: Djibouti|flag: Denmark|flag: Dominica
flag: Dominican Republic|flag: Algeria|flag: Ceuta & Melilla|flag: Ecuador|flag: Estonia|flag: Egypt
flag: Western Sahara|flag: Eritrea|flag: Spain|flag: Ethiopia|flag: European Union|flag: Finland|flag: Fiji
flag: Falkland Islands|flag: Micronesia|flag: Faroe Islands|flag: France|flag: Gabon|flag: United Kingdom
flag: Grenada|flag: Georgia|flag: French Guiana|flag: Guernsey|flag: Ghana|flag: Gibraltar|flag: Greenland
flag: Gambia|flag: Guinea|flag: Guadeloupe|flag: Equatorial Guinea|flag: Greece
flag: South Georgia & South Sandwich Islands|flag: Guatemala|flag: Guam|flag: Guinea-Bissau|flag: Guyana
flag: Hong Kong SAR China|flag: Heard & McDonald Islands|flag: Honduras|flag: Croatia|flag: Haiti|flag: Hungary
flag: Canary Islands|flag: Indonesia|flag: Ireland|flag: Israel|flag: Isle of Man|flag: India
flag: British Indian Ocean Territory|flag: Iraq|flag: Iran|flag: Iceland|flag: Italy|flag: Jersey|flag: Jamaica
flag: Jordan|flag: Japan|flag: Kenya|flag: Kyrgyzstan|flag: Cambodia|flag: Kiribati|flag: Comoros
flag: St. Kitts & Nevis|flag: North Korea|flag: South Korea|flag: Kuwait|flag: Cayman Islands|flag: Kazakhstan
flag: Laos|flag: Lebanon|flag: St. Lucia|flag: Liechtenstein|flag: Sri Lanka|flag: Liberia|flag: Lesotho
flag: Lithuania|flag: Luxembourg|flag: Latvia|flag: Libya|flag: Morocco|flag: Monaco|flag: Moldova|flag: Montenegro
flag: St. Martin|flag: Madagascar|flag: Marshall Islands|flag: North Macedonia|flag: Mali|flag: Myanmar (Burma)
flag: Mongolia|flag: Macao SAR China|flag: Northern Mariana Islands|flag: Martinique|flag: Mauritania
flag: Montserrat|flag: Malta|flag: Mauritius|flag: Maldives|flag: Malawi|flag: Mexico|flag: Malaysia
flag: Mozambique|flag: Namibia|flag: New Caledonia|flag: Niger|flag: Norfolk Island|flag: Nigeria|flag: Nicaragua
flag: Netherlands|flag: Norway|flag: Nepal|flag: Nauru|flag: Niue|flag: New Zealand|flag: Oman|flag: Panama
flag: Peru|flag: French Polynesia|flag: Papua New Guinea|flag: Philippines|flag: Pakistan|flag: Poland
flag: St. Pierre & Miquelon|flag: Pitcairn Islands|flag: Puerto Rico|flag: Palestinian Territories|flag: Portugal
flag: Palau|flag: Paraguay|flag: Qatar|flag: Réunion|flag: Romania|flag: Serbia|flag: Russia|flag: Rwanda
flag: Saudi Arabia|flag: Solomon Islands|flag: Seychelles|flag: Sudan|flag: Sweden|flag: Singapore|flag: St. Helena
flag: Slovenia|flag: Svalbard & Jan Mayen|flag: Slovakia|flag: Sierra Leone|flag: San Marino|flag: Senegal
flag: Somalia|flag: Suriname|flag: South Sudan|flag: São Tomé & Príncipe|flag: El Salvador|flag: Sint Maarten
flag: Syria|flag: Eswatini|flag: Tristan da Cunha|flag: Turks & Caicos Islands|flag: Chad
flag: French Southern Territories|flag: Togo|flag: Thailand|flag: Tajikistan|flag: Tokelau|flag: Timor-Leste
flag: Turkmenistan|flag: Tunisia|flag: Tonga|flag: Turkey|flag: Trinidad & Tobago|flag: Tuvalu|flag: Taiwan
flag: Tanzania|flag: Ukraine|flag: Uganda|flag: U.S. Outlying Islands|flag: United Nations|flag: United States
flag: Uruguay|flag: Uzbekistan|flag: Vatican City|flag: St. Vincent & Grenadines|flag: Venezuela
flag: British Virgin Islands|flag: U.S. Virgin Islands|flag: Vietnam|flag: Vanuatu|flag: Wallis & Futuna|flag: Samoa
flag: Kosovo|flag: Yemen|flag: Mayotte|flag: South Africa|flag: Zambia|flag: Zimbabwe|flag: England|flag: Scotland
flag: Wales`;export{e as names};
