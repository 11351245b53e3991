export { documentRouters } from './documents';
