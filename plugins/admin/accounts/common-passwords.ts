/**
 * The 1,853 passwords that are tried first, in small letters. A word stands for itself with digits and signs behind it, too, so
 * those forms are left out.
 */
const words = `
0123456789 0987654321 100200300 10203040 1020304050 11112222 111222333 11223344 1122334455 112233445566 1123581321
12121212 12312312 123123123 123321123 12341234 123412345 12344321 123454321 1234554321 123456123456 12345678 123456789
1234567890 12345678900 1234567891 12345678910 123456789a 123456789q 1234abcd 1234asdf 1234qwer 123654789 123qweasd
123qweasdzxc 12qwaszx 1357924680 147258369 147852369 1a2b3c4d 1password 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc
1qazxsw2 22223333 3141592654 69696969 741852963 777888999 789456123 87654321 963852741 987654321 9876543210 a1234567
a12345678 a123456789 a1b2c3d4 aa123456 aaron abcabc abcd abcde abcdef abcdefg abcdefgh abracadabra access acdc adam
admin administrator adrian adriana africa airforce alan alaska albert alejandra alejandro alessandro alessia alex
alexander alexandra alexandre alexis alfred alibaba allen alone alvin alyssa amanda amber america american amigos
amistad amorcito amore amoremio amour anakin andre andrea andreas andrew andy angel angela angelina angelito angelo
angels animal anna annie anthony antoine antonio anything apollo apple apples april aquarius aragorn argentina ariana
ariel aries army arsenal arthur asdasd asdf asdfasdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfjkl asdqwe123 asdzxc
ashley assassin asshole athlete atlanta audi audrey august austin australia autumn azerty azertyuiop baby babyblue
babyboy babycakes babydoll babyface babygirl badass badboy bailey ballet bambi banana bananas barbara barcelona barney
barry baseball basketball bastard batman battlefield bayern bear bears beatles beautiful beaver beavis beckham beer
believe bengals benjamin berlin bernard bestfriend bestfriends beth beyonce bianca bigboy bigdaddy bigdog biggie
bigtits bill billionaire bills billy birdie birthday bitch bitchass bitches biteme black blackberry blackcat blackjack
blacky blank blazer bleach bless blessed blessing blink182 blowme blue blueberry bluebird blueblue blueeyes bluesky
bobby bobmarley bong bonita bonjour bonnie booboo boobs booger boomer boston bowling boxing boyfriend brad bradley
bradpitt brain brandon brandy brasil braves brazil brenda brian bridget britney brittany broken bronco broncos brooke
brooklyn brother brothers browns bruce bryan bryce bubba bubblegum bubbles buddy budweiser bugsbunny bulldog bullrider
bulls bullshit bunny burger business buster butter butterflies butterfly butthead caitlin caleb california callofduty
calvin camaro cameron camila camille canada cancer candy candyman capricorn captain captainamerica caramel cardinals
carl carlos carmen carol carolina caroline casey cash casper cassandra cassie catherine cats catwoman cecilia celine
celtics chad champion champions chance change changeit changeme changethis chargers charizard charles charlie
charlotte chase cheer cheerleader cheese cheesecake chelsea chelseafc cherry chester cheval chevrolet chevy cheyenne
chiara chicago chicken chickens chiefs child children china chiquita chloe chocolat chocolate chouchou chris christ
christian christina christine christmas christopher church ciao ciaociao cinderella cindy claudia clayton clifford
cobra cocacola cock coco cocoa cocolo coconut cody coffee coldplay colin college colombia colts company compaq
computer connor contrasena contraseña cookie cookies cooper corazon corey corona correcthorsebatterystaple corvette
coucou counter counterstrike courtney cowboy cowboys cowgirl coyote craig crazy crazybitch crazyman cristo crystal
cuba cubs cupcake curtis cutie cutiepie cynthia daddy daddysgirl daisy dakota dalejr dallas damian dana dance dancer
dancing daniel daniela danielle danny darkangel darklord darkness darkside darling darren darryl darthvader database
daughter dave david dawn deadpool dean dearest death debbie deborah december default dell demo demon denise denmark
dennis denver derek derrick detroit deutschland devil devin devon diablo diamond diamonds diana diane dick diego
digimon dios doctor dodge dodgeram dodgers doggie doggy dogs dollar dollars dolphin dolphins dominic dominique donald
donna doris dortmund doudou douglas dracula dragon dragonball dragonballz dragonfly dragons dream dreamer dreaming
dreams drew driver drummer drums drunk drupal ducati duke dumbass dumbo dummy dustin dwayne dwight dylan eagle eagles
earnhardt earth easter edcrfv eddie edgar eduardo edward edwardcullen edwin eeyore egypt einstein elaine elena
elephant elijah elizabeth elliot email emerald emily eminem emma emogirl emokid england enter enterprise eric erica
erik erika erin ernest estrella ethan eugene evan evanescence evelyn everything evil facebook faith falcon falcons
fallout falloutboy familia family familyguy fast fastcar father february felix fender fernanda fernando ferrari ficken
fighter finalfantasy finland fiona fire firefighter fireman fish fisherman fishing florian florida flower flowers
fluffy flyers football ford fordtruck forever foreverlove forgot fortnite fortune forzainter foxy france francesca
francesco francis francisco frank frankfurt frankie franklin freak freaky fred freddy frederic freedom friday friend
friends friendship frodo frog froggy fucked fucker fucking fuckit fuckme fuckoff fuckthis fuckyou fussball gaara gabby
gabriel gabriela galaxy gameboy gamecube gamer gandalf gangsta gangster ganja garfield gary gateway gators gavin geek
gemini genius george gerald giants gilbert gina ginger giovanni giraffe girlfriend girls giuseppe gizmo glenn gloria
gmail goalie godisgood godzilla goku gold golden golf golfer golfing goodbye goodluck goofy google gordon gorgeous
gorilla goth gothic grace graham grandma grandpa granny grant grapes greece green greenday greg gregory griffin guest
guitar gunit gunner guns gunsnroses gymnast haley hallo halloween halo hamburg hammer hannah hannahmontana happiness
happy hardcore harley harleydavidson harold harry harrypotter harvey hase haslo hawaii hawk hawks heart heartbreak
hearts heat heather heaven hector heineken helen hell hello hellohello hellokitty helloo helloworld helpme henry
herbert hermione hero heroes heslo hewlett highschoolmusical hinata hiphop hitman hobbit hockey hogwarts holiday holly
hollywood honda honey honeybee hooters hope horny horse horses hospital hotboy hotdog hotgirl hotmail hotstuff hottie
houston howard hugh hugs hulk hunter husband hustler icecream iceman idiot ilovegod iloveher ilovehim ilovejesus
iloveme ilovemom iloveu iloveyou imagine india insane instagram inter internet inuyasha iphone ireland ironmaiden
ironman isaac isabel isabella isabelle isaiah israel itachi italia italy ivan iwantu jack jackass jackdaniels jackie
jackson jacob jacqueline jaguar jaguars jake jamaica james jamie jane janet janice january japan jared jasmine jason
jasper javier jedi jeff jeffrey jelszo jenna jennifer jenny jeremy jerome jerry jersey jesse jessica jesucristo jesus
jesuschrist jesuslovesme jetaime jets jill jimmy joan joanna jocelyn joejonas joel joey john johnny johnson joker
jonasbrothers jonathan joomla jordan jorge jose joseph joshua joyce juan judith judy julia julian julie julien junior
justin justinbieber juventus kakashi karate karen karina karl kate katelyn katharina katherine kathleen kathryn kathy
katie katrina kawasaki kayla kaylee keith kelly kelsey kendra kenneth kennwort kenny kenobi kevin kevinjonas kids
killer kimberly kisses kissme kitten kittens kitty kittycat knicks knight kobe korn kristen kristin kristina krystal
kungfu kurt kyle lacey lady ladybug lakers lamborghini lance larry lasvegas laura lauren lawrence leah lebron legend
legends legolas lemon lemons lenovo leon leonard leonardo leslie letmein lewis liberty libra lillian lily linda
lindsay lindsey linkin linkinpark linux lion lions lisa liverpoo liverpool lkjhgfdsa lloyd logan login london lonely
lordoftherings lori losangeles loser losers louis louise loulou love lovebirds lovebug lovelove lovely loveme lover
lovers lovesick loveyou lozinka lucas lucifer lucky lucy luigi luis luke lydia macintosh mackenzie maddog madeline
madison madonna madrid maggie magic makayla malcolm mallory mama mamita manager manchester mandy maniac manson manuel
manutd marc marco marcus margaret maria mariana marie marijuana marilynmanson marine marines mario mariposa marissa
mark marketing markus marlboro marley married marseille marshall martha martin martina marvin mary maryjane mason
master matrix matteo matthew matthias maus mausi maverick maxime maxwell mazda megan melanie melbourne melissa melvin
member mental mercedes meredith merlin messi metalgear metallic metallica mets mexico miami michael michaeljordan
micheal michelle mickey mickeymouse microsoft midnight miguel mikayla mike milan mileycyrus miller million minecraft
minnie minou miracle miranda mitchell mnbvcx mnbvcxz molly mommy monday money moneyman monica monique monkey monkeyman
monkeys monster moon moonlight moonshine morgan moron morpheus moses motdepasse mother motocross motorcycle motorola
mountain muenchen muffin murder murphy music musica mustang mychemicalromance mylove mypass mypassword mysecret
myspace mysql mystery nala nana nancy naomi napoli naruto nascar natalia natalie natasha nathalie nathan navy neil
nelson nemo nerd network newpass newpassword newyear newyork nicholas nick nickjonas nicolas nicole night nina ninja
nintendo nirvana nissan nitro noah nokia noname noone nopass nopassword norman norway nothing november nurse
obiwan october office oldpassword oliver olivia olivier onedirection onepiece opensesame oracle orange orchid oscar
owen p@ssw0rd p@ssword pa55w0rd pa55word pablo packard packers paige pamela panda pandas panther panthers panties
paola papa papito paramore paris parker parola party partygirl partytime pass passord passpass passw0rd password
passwordpassword passwords passwort patricia patrick patriot patriots patty paul paula pauline peace peacelove peaches
peanut peanutbutter pearl pedro penguin penguins pepper perry peter peyton phil philip phillip philly phoebe phoenix
piano piglet pikachu pimp pimpin pineapple pink pinkfloyd pinkie pinkpink pinky pisces pizza planet playboy player
playgirl playstation please pluto poisson poiuyt poiuytrewq pokemon poland police polska ponies pony pooh poohbear
pookie porn porsche portugal postgres potato potter power powerful prayer precious preston pretty prettygirl
prettywoman prince princesa princess priscilla private psycho pumpkin punk punkrock punkrocker puppies puppy puppylove
purple pussy q1w2e3r4 q1w2e3r4t5 qazwsx qazwsxedc qazxsw qazxswedc qpwoeiruty qq123456 queen qwaszx qweasd qweasdzxc
qweqwe qwer1234 qwerasdf qwert qwerty qwertyu qwertyui qwertyuiop qwertz qwertzuiop rabbit racecar racer rachel racing
radiohead rafael raiders rainbow ralph randall randy ranger rangers rapper raven ravens raymond realmadrid rebecca
redred redskins redsox reggae reggie regina rene residentevil rhonda ricardo rich richard richie rick ricky rihanna
riley robert roberto roblox rock rocker rocket rocknroll rockstar rocky rodeo rodney roger roland rollingstones ronald
ronaldinho ronaldo ronnie root rose rosebud rosemary roses rosie roxanne ruby rufus runescape runner rush2112 russell
russia ryan sabine sabrina sadie sagittarius sailormoon saints sakura salasana sally samantha sammy samson samsung
samuel samurai sandiego sandra sandrine sandy santa santiago sara sarah sasuke satan saturday savannah saved schalke
schatz schatzi schnecke school scooby scoobydoo scooter scorpio scorpion scotland scott sean seattle sebastian
sebastien secret secrets selena semperfi senha september serena server service sesame seth sexsex sexy sexybitch
sexyboy sexygirl sexylady sexymama shadow shane shannon shark sharks shaun shawn sheila shelby shelly sherry shithead
shooting shrek sidney sierra sifre silver simba simon singer single sister sisters skate skateboard skater skiing
skippy skylar skyline skywalker slayer slimshady slipknot slut smart smartass smile smiley smoke smokey snake
snoopdogg snoopy snowboard snowwhite soccer softball soldier soleil something sonia sonic sonnenschein sony sophia
sophie spain spanky sparky spatz speed speedy spencer spider spiderman spiders spidey spongebob sports spring spurs
sqlserver stacey stacy stanley star starcraft stardust starlight stars startrek starwars steelers stefan steffi stella
stephane stephanie stephen steve steven stewart stitch stoner strapi strawberry strength striker strong stuart student
stupid subaru success suckit sugar summer summertime sunday sunflower sunny sunrise sunset sunshine super supergirl
superman supernova supersonic superstar support surfer surfing susan suzanne suzuki sweden sweetheart sweetie sweetpea
sweets sweety swimmer swimming sydney sylvia system tabitha tails tamara tammy tanya tara tasha taurus taylor teacher
teamo teddy teddybear temp temporary temppass tennis tequiero tequila teresa terry test tester testing testtest texas
thanksgiving theman theodore theresa thisisapassword thomas thor thug thug4life thuglife thunder tiffany tiger tigers
tigger tigrou timmy timothy tina tinkerbe tinkerbell titans titi tits tobias toby todd together tokiohotel tokyo
tomato tomcat tommy tony toor topgun toshiba toyota tracy travis treasure trevor trinity tristan trouble troy truck
trucker trucks truelove trust trustme trustno1 trustnoone tucker tulip tupac turbo turkey turtle turtles tweety
twilight twins twitter tyler tyrone ubuntu unicorn unicorns united universe university unknown user usmc vacation
vader valentina valentine valerie vampire vampires vanessa vanilla vegas vegeta vernon veronica veteran vicky victor
victoria victory viking vikings vincent violet viper virginia virgo vodka voldemort volkswagen volleyball voodoo
voyager wachtwoord wallace walter warcraft warren warrior warriors wasdwasd water watermelon wayne weed weekend weirdo
welcome wendy werewolf wesley whale whatever whatsapp whiskey white whitney whore wife william willie wilson windows
windowsxp winner winnie winston winter wizard wolf wolfpack wolverine wolves wonderwoman wordpress world
worldofwarcraft wrestling wsxedc xavier xbox xsw2zaq1 yahoo yamaha yankee yankees yellow yoda yolanda youtube yvonne
zacefron zach zachary zaq12wsx zaq1xsw2 zaqwsx zaqxsw zebra zelda zxcasd zxcvb zxcvbn zxcvbnm zxczxc
`

let known: ReadonlySet<string> | undefined

/** The set is made when a password is chosen for the first time: most processes never need it. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(words.trim().split(/\s+/))
  return known
}
