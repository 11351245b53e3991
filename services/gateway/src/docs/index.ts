export { contentSecurityPolicy, documentRouters } from './documents';
export { builtGuide, guideRouters } from './guide';
export { fileResource, textResource, type Resource } from './resource';
export { sendContent } from './send-content';
