/** Knowledge bases: documents of one language that agents answer from. */
export { createBase } from './create-base';
export { deleteBase, updateBase } from './change-base';
export { getBase, listBases, ownerOfBase } from './read-bases';
export { findBase, lockBase, ownedBases } from './bases.sql';
export { recordExists } from './base-owner.cross-tenant.sql';
