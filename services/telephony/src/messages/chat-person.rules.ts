/**
 * SQL of the person with a phone number, as in `message_chats`: a digest that is different in each organization. $1 is the organization.
 * @param phoneNumber SQL of the number
 */
export const personWith = (phoneNumber: string): string =>
  `sha256(convert_to($1::text || ' ' || ${phoneNumber}, 'UTF8'))`;

/** The idempotency scope of replies; the key is the id of the message that is answered. */
export const replyRoute = 'reply-to-message';
