import { list } from '../languages';

export const azureSpeech = list(
  'af am ar az bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja jv ka kk km kn ko lo lt lv mk ml mn mr ms mt my nb ne nl pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th tr uk ur uz vi wuu yue zh zu',
);
