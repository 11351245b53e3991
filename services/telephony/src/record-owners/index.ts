/** Looks up the organization of a record for requests that do not specify it: those of operators, and reports of carriers. */
export { ownerOfCall, ownerOfMessage, ownerOfSipTrunk, ownerOfTopUp } from './record-owners.cross-tenant.sql';
