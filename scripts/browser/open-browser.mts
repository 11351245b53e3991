/** A headless browser with an empty profile, and a record of errors and policy violations of the page. */
import { chromium, type BrowserContext, type Page } from 'playwright-core';

const isRoot = process.getuid?.() === 0;

const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A text, because it runs in the page, and these scripts are compiled without DOM types. */
const reportViolations = `document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  window.recordViolation(effectiveDirective + ' ' + blockedURI))`;

export interface WatchedPage {
  readonly page: Page;
  /** The folder of its profile. */
  readonly profile: string;
  /** Every requested URL except `data:` URLs. */
  readonly requests: string[];
  /** Errors that the page has logged or thrown, and requests that failed. */
  readonly errors: string[];
  /** Violations of the content security policy: the directive and the blocked resource. */
  readonly violations: string[];
  close(): Promise<void>;
}

/**
 * @param executable the path of the browser
 * @param profile an empty folder
 * @param further additional flags of the browser
 */
export async function openBrowser(
  executable: string,
  profile: string,
  further: readonly string[] = [],
): Promise<WatchedPage> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable,
    headless: true,
    // The sandbox does not work for root.
    chromiumSandbox: !isRoot,
    args: [...flags, ...further, ...(isRoot ? ['--no-sandbox'] : [])],
    viewport: { width: 1280, height: 1400 },
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const watched = { page, profile, requests: [], errors: [], violations: [], close: () => context.close() };
  await watch(context, watched);
  return watched;
}

async function watch(context: BrowserContext, { page, requests, errors, violations }: WatchedPage): Promise<void> {
  context.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(request.url());
  });
  context.on('requestfailed', (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));
  context.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.url()}: ${response.status()}`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.exposeFunction('recordViolation', (text: string) => violations.push(text));
  await page.addInitScript({ content: reportViolations });
}
