export { Catalogues } from './catalogue';
export { builtInVendors } from './operator-folder';
