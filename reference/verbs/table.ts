import type { VerbTable } from '../contracts/call.ts';
import { orConnect } from './connect.ts';
import { create } from './create.ts';
import { deleteOne } from './delete.ts';
import { deleteCollection } from './deleteCollection.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { patch } from './patch.ts';
import { update } from './update.ts';
import { watch } from './watch.ts';

/** Which file serves which verb (1/verbs). */
export const VERBS: VerbTable = {
  get: orConnect(get),
  list,
  watch,
  create: orConnect(create),
  update: orConnect(update),
  patch: orConnect(patch),
  delete: orConnect(deleteOne),
  deletecollection: deleteCollection,
};
