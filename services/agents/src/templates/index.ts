/** Message templates. */
export * from './message-templates';
