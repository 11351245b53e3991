import { list } from '../languages';

/** The 40 languages that the simulator hears and speaks. */
export const simulatorLanguages = list(
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv th tr uk vi zh',
);

/** A small set for a voice whose languages fit every candidate limit. */
export const simulatorEuropean = list('de en es fr it nl pl pt ru sv');
