/**
 * The words of help desk checks: short, common, and easy to tell apart on the telephone. No word is the beginning of another word, so
 * that three words that are written together can be read in only one way. There are 512³ = 2²⁷ different checks.
 */
const WORDS = `
  acorn actor album alley almond amber anchor angle ankle antler apple apron arrow artist aspen atlas attic autumn
  avenue badge bagel bakery balcony ballet balloon bamboo barber barley barrel basil basket bathtub beach beacon beaver
  bedroom beetle bench berry bicycle biscuit blanket blossom blue boat bonfire bonnet book border bottle boulder bowl
  bracelet branch bread breeze brick bridge broccoli broom brush bucket buffalo bundle burger butter button cabbage
  cabin cactus cake camel camera canal candle canoe canvas captain caravan carpet carrot cashew castle cedar ceiling
  cellar cello cereal chain chalk chapel cheese cherry chess chicken chimney cinema cinnamon circle circus clay cliff
  clock cloud clover coast cobweb cocoa coconut collar comet compass cookie copper coral cork corner cottage cotton
  cousin crab cradle crane crayon cream cricket crown crystal cucumber cupboard cushion custard daffodil daisy dancer
  dawn denim desert desk diamond dinner doctor dolphin domino donkey dozen dragon drawer dream dress drum duck dune
  eagle earring easel echo eclipse elbow elephant elevator emerald engine envelope fabric falcon family farmer feather
  fence fern ferry festival fiddle field finger flag flame flamingo flute foam forest fork fountain freckle friend frog
  frost fruit funnel furnace galaxy gallery garage garden garland garlic gate geyser ginger giraffe glacier glass glove
  goat gold goose grape gravel guitar hammer hammock hamster harbor harp harvest hedge helmet herring hill hockey
  honey horse hotel house hyena iceberg icicle igloo insect iron ivory jacket jaguar jasmine jelly jewel jigsaw journey
  judge juice jungle kangaroo kayak kettle keyboard kitchen kite kitten kiwi knee koala ladybug lagoon lake lamp lantern
  laptop lasagna laundry lavender lawn leather lemon leopard library lilac lime linen lion lizard lobster locket lotus
  lunch machine magnet mailbox mango maple marble market meadow melon menu metal midnight milk mitten monkey moon
  morning mosaic moss motor mountain mouse muffin museum mustard napkin navy necklace needle nephew nest noodle north
  notebook nugget number nurse oasis oatmeal ocean octopus office olive omelet onion opera orange orbit orchard organ
  ostrich otter oven oyster paddle page palace pancake panther paper parade parcel park parrot party pasta patio peach
  peanut pebble pelican pencil penguin pepper piano picnic picture pigeon pillow pilot pine pizza planet plum pocket
  pond pony popcorn poster potato powder prairie pudding puffin pumpkin puppet purple puzzle pyramid quarter queen quilt
  rabbit raccoon radio radish railway rainbow raisin ranch raven reef ribbon rice ring river robin rocket roof rooster
  rope ruby ruler saddle sailor salad sandal satin sauce scarf school scooter seal season seven shadow shark sheep shell
  shirt shoulder shovel silk silver singer sister skate slipper smoke snail snow soap soccer sofa soup sparrow spider
  spoon spring squirrel stadium station steam stone storm story street studio sugar summer sunset swan sweater swing
  table tailor teacher teapot temple tennis thimble throne thunder ticket tiger timber toast tomato tornado towel tower
  tractor train tree trumpet tulip tunnel turkey turtle tuxedo twelve umbrella uncle unicorn vacation valley vanilla
  velvet village vinegar violet violin volcano waffle wagon waiter wallet walnut walrus water weather wedding whale wheat
  whistle willow window winter wizard wolf worker yacht yard yellow yogurt zebra zipper
`;

export const CHECK_WORDS: readonly string[] = WORDS.trim().split(/\s+/);
