export { testPageRouters } from './test-page';
