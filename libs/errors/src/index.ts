export * from './app-error';
export * from './catalogue';
export * from './shorthands';
