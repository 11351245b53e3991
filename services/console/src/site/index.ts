/** The pages: files that Vite built, the same for everybody, under a policy that runs and loads nothing else. */
export { loadSite } from './load-site';
export { siteRouter } from './site-router';
