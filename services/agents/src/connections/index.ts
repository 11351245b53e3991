/** Connections to other systems. Their actions are tools of agents. */
export { createConnection } from './create-connection';
export { deleteConnection, updateConnection } from './change-connection';
export { getConnection, listConnections } from './read-connections';
export { sealedConnections } from './seal-authentication';
export { openConnections } from './open-connections';
export { knownConnections } from './known-connections';
