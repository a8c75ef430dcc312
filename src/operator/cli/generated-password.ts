/**
 * Generates a password of digits and words that are easy to read aloud. Five of 256 words and four digits have 53 bits of
 * entropy. The capitals satisfy installations that require both cases.
 */
import { randomInt } from 'node:crypto';

const WORDS =
  `acorn album alder amber anchor apple apron arrow aspen atlas autumn badger bagel bamboo banjo barley basil basket beacon
beaver beetle bench berry birch bishop bison blanket blossom bonnet border bottle boulder branch bread breeze brick bridge
bronze brook brush bucket buffalo burrow butter button cabin cactus camel candle canoe canvas canyon captain caramel cargo
carpet carrot castle cedar cellar cement chalk chapel cherry chimney cider cinnamon circle citrus clover coal cobalt coconut
coffee comet compass copper coral cotton cradle crane crater cricket crystal cuckoo curtain cushion cypress dahlia daisy
dancer denim desert diamond dolphin donkey dragon drawer drum dune eagle easel elbow elder elm ember engine falcon farmer
feather fennel fern ferry fiddle field fig finch flame flannel flint flute forest fossil fountain fox galaxy garden garlic
gazelle ginger giraffe glacier glove goblet gondola granite grape gravel guitar hammer hammock harbor harvest hazel hedge
heron hickory honey horizon hornet island ivory ivy jacket jaguar jasmine jungle juniper kettle kitten ladder lagoon lantern
larch lark lavender lemon lentil lilac linen lizard lobster locket lotus magnet magpie mango maple marble marigold meadow
melon mirror mitten mosaic moss mountain muffin mustard needle nettle nutmeg oak ocean olive onion orange orchard orchid otter
oyster paddle palace panda pantry papaya parrot parsley pasture peanut pebble pelican pepper piano pigeon pillow pine planet
plum pocket pollen poplar poppy prairie pumpkin puzzle quarry quartz quilt rabbit radish raven ribbon river robin rocket
saddle saffron salmon sandal satin scarf sickle silver sparrow spruce stable summit teapot thistle timber tulip turtle velvet
walnut willow`.split(/\s+/);

const DEFAULT_WORD_COUNT = 5;

/** @param wordCount the number of words; higher for installations that require long passwords */
export function generatePassword(wordCount = DEFAULT_WORD_COUNT): string {
  const words = Array.from({ length: wordCount }, () => WORDS[randomInt(WORDS.length)] ?? '');
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [...capitals, String(randomInt(10_000)).padStart(4, '0')].join('-');
}
