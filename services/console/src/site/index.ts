/** The pages: static files built by Vite, with a policy that runs and loads nothing else. */
export { loadSite } from './load-site';
export { siteRouter } from './site-router';
