export { documentRouters } from './documents';
export { fileResource, textResource, type Resource } from './resource';
export { sendContent } from './send-content';
