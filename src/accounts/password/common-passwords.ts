/**
 * Passwords that guessing begins with, in German and English, and the rule that takes their usual disguises off. A list
 * of our own: words, names, places, games and rows of keys, without digits at their ends (`stem` takes those off).
 */
import { folded } from '../account/username.js';

const WORDS = `
  password passwort passwords kennwort geheim secret geheimnis topsecret losung parole zugang zugangscode einloggen login
  anmelden anmeldung passme passwd pass word wort admin administrator adminadmin root toor user benutzer nutzer gast guest
  test tester test-kit testtest versuch demo sample beispiel example default standard system server computer rechner laptop
  internet online offline windows microsoft google facebook youtube twitter instagram amazon apple iphone android samsung
  nokia yahoo hotmail gmail github linux ubuntu oracle cisco changeme change letmein lassmichrein openup open sesam oeffnedich
  sesamoeffnedich welcome willkommen hallo hello halloduda hallodu hallohallo hellohello goodbye tschuess moin servus gruezi
  hola bonjour ciao iloveyou ichliebedich liebe liebedich love lovely loveme lover liebling schatz schatzi schatzilein maus
  mausi maeuschen hase hasi haesschen spatz spatzi engel engelchen baby babygirl babe honey sweety sweetheart sweet darling
  princess prinzessin prince prinz queen koenigin king koenig master meister hacker ninja dragon drache drachen monster tiger
  loewe lion panther leopard baer bear wolf wolves fuchs shark hai eagle adler falke falcon phoenix unicorn einhorn pony pferd
  pferde horse hund hunde doggy puppy welpe katze katzen kitty kitten kater muschi hamster rabbit bunny chicken monkey affe
  banane banana orange apfel kirsche cherry erdbeere strawberry himbeere schokolade chocolate kaffee coffee bier beer wein
  whiskey vodka pizza nudel nudeln cookie cookies cheese kaese butter pepper pfeffer ginger zucker sugar honig vanille kuchen
  summer sommer winter herbst autumn spring fruehling fruehjahr sonne sunshine sonnenschein sonntag montag dienstag mittwoch
  donnerstag freitag samstag monday tuesday wednesday thursday friday saturday sunday januar februar maerz april juni juli
  august september oktober november dezember january february march june july october december weihnachten christmas ostern
  easter sylvester silvester geburtstag birthday urlaub ferien holiday vacation sunset sunrise moon mond stern sterne star
  stars starlight himmel heaven sky regen schnee snow snowball snowflake wasser water feuer fire blitz thunder donner storm
  sturm wind rainbow regenbogen blume blumen flower flowers rose rosen sunflower sonnenblume lilie tulpe baum wald forest
  garten garden berg berge mountain ocean meer strand beach insel island freedom freiheit frieden peace hope hoffnung glueck
  lucky gluecklich happy happiness smile freude danke dankeschoen bitte thanks please jesus christ christus gott jesuschrist
  maria god angel angels devil teufel hell satan church amen kirche glaube faith trust destiny schicksal dream dreams dreamer
  traum traeumer traumfrau magic zauber zauberer wizard witch hexe vampir vampire zombie zombies ghost geist shadow schatten
  dark darkness dunkel black schwarz white weiss red green gruen blue blau yellow gelb purple lila pink silver silber gold
  golden diamond diamant crystal kristall superman batman spiderman ironman wonderwoman hulk thor avengers marvel joker harley
  pokemon pikachu charizard mario luigi zelda sonic minecraft fortnite roblox callofduty warcraft worldofwarcraft starcraft
  diablo counterstrike halflife assassin assassins starwars startrek skywalker darthvader yoda matrix gandalf frodo hobbit
  hogwarts harrypotter potter hermine simpson simpsons homer naruto sasuke goku vegeta onepiece bleach hellokitty snoopy
  garfield mickey mickeymouse donald disney cinderella elsa arielle tinkerbell winnie nemo shrek barbie football fussball
  fussballgott soccer baseball basketball hockey tennis golf golfer handball volleyball eishockey skater skateboard surfer
  runner racing ferrari porsche mercedes bmw audi volkswagen golfgti opel mustang camaro corvette harleydavidson yamaha honda
  suzuki kawasaki toyota nissan ford motorrad auto bayern bayernmuenchen fcbayern borussia dortmund bvb schalke werder bremen
  hamburg hsv stuttgart koeln effzeh frankfurt eintracht eintrachtfrankfurt gladbach leverkusen hertha union unionberlin
  leipzig dresden dynamo stpauli pauli rapid austria sturmgraz juventus barcelona realmadrid arsenal chelsea liverpool
  manchester united manunited lakers yankees cowboys steelers eagles patriots redsox berlin muenchen munich wien vienna
  zuerich schweiz oesterreich deutschland germany hannover nuernberg essen duisburg bochum bielefeld mannheim karlsruhe
  augsburg wiesbaden freiburg rostock kiel london paris newyork chicago dallas texas florida california boston denver america
  england ireland scotland canada mexico brasil italia italy spain france russia moscow poland polen turkey tuerkei istanbul
  ankara europa europe alexander alexandra andrea andreas andrew angela angelika angelina anna annika anthony antonia antonio
  barbara benjamin bernd bernhard bettina birgit brandon brigitte carina carolin carlos caroline catherine charlie charlotte
  chris christian christina christine christoph christopher claudia clara daniel daniela danielle david dennis dieter dominik
  doris edward elias elisabeth elizabeth emily emma erik felix fabian ferdinand finn florian frank franziska friedrich gabriel
  gabriele george gerhard gisela guenther hannah hanna hans heike heinz helena helmut herbert hermann holger ingrid isabel
  isabella jacqueline jakob james jan jana jasmin jasmine jason jennifer jenny jens jessica joachim johanna johannes john
  johnny jonas jonathan jordan joseph joshua julia julian juliane jutta justin karin karina karl katharina kathrin katja
  katrin kerstin kevin klaus konstantin lara larissa laura lena leon leonie lisa louisa lukas lucas luisa madison manfred
  manuel manuela marcel marcus margaret margarete marie marina marion markus martin martina matthew matthias maximilian
  melanie melissa michael michaela michelle miriam mohamed monika moritz nadine nadja natalie natascha nicholas nicolas nicole
  niklas nina norbert oliver oskar patricia patrick paula peter petra philipp pascal rachel rainer ralf ramona raphael rebecca
  regina renate richard robert robin roland samantha samuel sabine sabrina sandra sarah sascha sebastian silke silvia simon
  simone sophia sophie stefan stefanie stephan stephanie susanne svenja sven tamara tanja theresa thomas thorsten tobias
  torsten tristan tyler ulrike ursula uwe valentin vanessa veronika victoria viktoria vincent volker walter werner wilhelm
  william wolfgang yvonne zachary mustafa mehmet ahmet fatima aylin emre mama papa mutti vati mami papi mutter vater mother
  father mommy daddy oma opa bruder schwester brother sister sohn tochter kinder familie family freund freunde freundin friend
  friends friendship freundschaft bestfriend kollege chef chefin boss firma buero office arbeit arbeiten worker work school
  schule schueler student studentin university universitaet lehrer teacher doktor doctor money geld euro dollar million
  millionaer reich bank sparkasse volksbank kunde kunden customer service kundenservice support helpdesk sommerzeit winterzeit
  vertrag versicherung guitar gitarre piano klavier music musik musiker metallica nirvana slipknot ironmaiden beatles eminem
  tupac rammstein tokiohotel linkinpark greenday blink rockstar rocknroll rock hiphop techno party disco tanzen dancer dancing
  ballerina fuckyou fuckme fuck fucker fuckoff shit bullshit bitch asshole arschloch scheisse scheiss kacke wichser fotze
  penis pussy sex sexy sexgott hure porno killer killme gangster mafia bandit pirate pirat soldier soldat army marine navy
  police polizei feuerwehr trustno access accessgranted zugriff security sicherheit sicher secure private privat hidden
  unknown unbekannt nothing nichts nobody niemand somebody whatever egal keineahnung ahnung blabla blablabla blah lalala
  hahaha jajaja nanana qwertz qwertzu qwertzui qwertzuio qwertzuiop qwerty qwertyu qwertyui qwertyuiop asdf asdfg asdfgh
  asdfghj asdfghjk asdfghjkl yxcvb yxcvbn yxcvbnm zxcvb zxcvbn zxcvbnm qweasd qweasdzxc qweasdyxc qaywsx qayqay qaywsxedc
  qazwsx qazwsxedc wsxedc qwer qwert qweqwe asdasd asdfasdf qwerqwer abc abcd abcde abcdef abcdefg abcdefgh abcabc aaa xxx zzz
  foo foobar bar baz
`;

/** Digits alone, and what mixes digits into rows of keys. */
const WITH_DIGITS = `
  0123456789 1234 12345 123456 1234567 12345678 123456789 1234567890 0987654321 987654321 87654321 7654321 654321 54321 4321
  121212 123123 123123123 12341234 112233 11223344 1122334455 123321 1234321 123454321 147258 147258369 159357 159753 147852
  258456 741852 789456 789456123 456789 369258147 963852741 101010 131313 202020 212121 232323 242424 252525 696969 420420
  314159 31415926 271828 246810 13579 135790 24680 110110 007007 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6z 1q2w3e4r5t6y q1w2e3
  q1w2e3r4 q1w2e3r4t5 1qay2wsx 1qay2wsx3edc 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1qayxsw2 qwe123 123qwe 123qweasd 123qweasdzxc
  a1b2c3 a1b2c3d4 1a2b3c 1a2b3c4d abc123 123abc abcd1234 1234abcd 1234qwer qwer1234 asdf1234 1234asdf q12345 a12345 a123456
  zaq12wsx zaq1xsw2 xaq12wsx trustno1 blink182 4you2 i1love2you me2you only4you nr1 r2d2 c3po agent007 bond007 fc08 hertha04
  schalke04 mainz05 s04 bvb09 1860muenchen muenchen1860 1fckoeln fcb1900 hsv1887 0815 08154711 47110815 4711 123hallo
  hallo123hallo
`;

const COMMON = new Set(WORDS.trim().split(/\s+/));
const COMMON_AS_TYPED = new Set(WITH_DIGITS.trim().split(/\s+/));

/** Signs that stand for letters in a word. */
const DISGUISES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
/** A year, a few digits, a sign: what people add when a rule asks for one. */
const ENDING = /^(.*?)[\d!?.,;:_#*+$@&%-]{0,6}$/su;

/** @returns whether the password is one of the first that anybody tries */
export function isCommonPassword(password: string): boolean {
  const typed = folded(password).replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter);
  if (isOneRepeated(typed) || COMMON_AS_TYPED.has(typed) || COMMON_AS_TYPED.has(withoutSigns(typed))) return true;
  return [stem(typed), stem(undisguised(typed)), undisguised(stem(typed))].some(
    (word) => COMMON.has(word) || COMMON.has(halved(word)),
  );
}

function stem(text: string): string {
  return ENDING.exec(text)?.[1] ?? text;
}

function undisguised(text: string): string {
  return text.replace(/[@43!1057$]/g, (sign) => DISGUISES[sign] ?? sign);
}

function withoutSigns(text: string): string {
  return text.replace(/[!?.,;:_#*+$@&%-]+$/, '');
}

/** `schatzschatz` is as easy as `schatz`. */
function halved(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

/** `aaaaaa`, `121212`, `abcabcabc`. */
function isOneRepeated(text: string): boolean {
  return text !== '' && /^(.{1,3}?)\1+$/su.test(text);
}
