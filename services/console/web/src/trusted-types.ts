import { nonce } from './nonce';

interface Policies {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

/**
 * Texts never become markup: the browser refuses it, except for what this policy lets through. That is a text without a tag, which the component
 * library gives to its own style elements, and a style that carries the nonce of this page, which the waveform brings and no text of a user can.
 */
export function refuseMarkup(): void {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (!text.includes('<') || text.trimStart().startsWith(`<style nonce="${nonce}">`)) return text;
      throw new TypeError('markup is refused');
    },
  });
}
