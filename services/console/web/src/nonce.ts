/** The CSP nonce of this page; set on styles that libraries create at run time. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
