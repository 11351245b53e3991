export { demoRouters } from './demo';
