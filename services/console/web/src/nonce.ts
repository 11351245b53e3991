/** Of this page alone; styles that libraries make at run time carry it. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
