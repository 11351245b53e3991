import { list } from '../languages';

export const assemblyMultilingual = list('en es fr de it pt');
