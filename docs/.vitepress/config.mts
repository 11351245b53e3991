import path from 'node:path';
import { defineConfig } from 'vitepress';
import { codeStyles } from './code-styles.mts';
import { linksOf } from './links.mts';
import { navigation, sidebar } from './navigation.mts';
import { publish } from './publish.mts';
import { withoutInlineScripts } from './scripts.mts';

const styles = codeStyles();

/**
 * The guide: the pages of docs/, served by the gateway at /guide under a policy without inline scripts and styles (ADR 125). The Markdown stays readable
 * where it lies; what only this site needs is done here.
 */
export default defineConfig({
  title: 'Parley',
  description: 'A self-hosted platform for AI voice agents',
  lang: 'en',
  base: '/guide/',
  outDir: path.resolve(import.meta.dirname, '../../services/gateway/dist/guide'),
  cacheDir: path.resolve(import.meta.dirname, '../../.parley/vitepress'),
  cleanUrls: true,
  // Its way of holding transitions back is a style element.
  appearance: { disableTransition: false },
  metaChunk: true,
  lastUpdated: false,
  rewrites: { 'reference/README.md': 'reference/index.md', 'adr/README.md': 'adr/index.md' },
  head: [
    // The empty one, so that no browser asks for /favicon.ico.
    ['link', { rel: 'icon', href: 'data:,' }],
    ['link', { rel: 'stylesheet', href: '/guide/code.css' }],
  ],
  markdown: {
    codeTransformers: [styles.transformer],
    config: (markdown) => {
      markdown.use(linksOf(path.resolve(import.meta.dirname, '..')));
    },
  },
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
  vite: { publicDir: false, build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } } },
  transformHtml: (html) => withoutInlineScripts(html),
  buildEnd: ({ outDir, srcDir, pages, rewrites }) =>
    publish({ outDir, srcDir, pages, rewrites: rewrites.map, codeStyles: styles.sheet() }),
});
