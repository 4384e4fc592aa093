import protobuf, { type Type } from 'protobufjs';

/** The part of etcd's v3 API that this store speaks. Field numbers are etcd's. */
const DEFINITIONS = `
syntax = "proto3";
package etcdserverpb;

message ResponseHeader { int64 revision = 3; }
message KeyValue {
  bytes key = 1; int64 create_revision = 2; int64 mod_revision = 3; int64 version = 4; bytes value = 5; int64 lease = 6;
}

message RangeRequest {
  bytes key = 1; bytes range_end = 2; int64 limit = 3; int64 revision = 4; bool keys_only = 8; bool count_only = 9;
}
message RangeResponse { ResponseHeader header = 1; repeated KeyValue kvs = 2; bool more = 3; int64 count = 4; }
message PutRequest { bytes key = 1; bytes value = 2; int64 lease = 3; bool prev_kv = 4; }
message PutResponse { ResponseHeader header = 1; KeyValue prev_kv = 2; }
message DeleteRangeRequest { bytes key = 1; bytes range_end = 2; bool prev_kv = 3; }
message DeleteRangeResponse { ResponseHeader header = 1; int64 deleted = 2; repeated KeyValue prev_kvs = 3; }
message Compare {
  int32 result = 1; int32 target = 2; bytes key = 3;
  oneof target_union { int64 version = 4; int64 create_revision = 5; int64 mod_revision = 6; }
}
message RequestOp {
  oneof request {
    RangeRequest request_range = 1; PutRequest request_put = 2; DeleteRangeRequest request_delete_range = 3;
  }
}
message ResponseOp {
  oneof response {
    RangeResponse response_range = 1; PutResponse response_put = 2; DeleteRangeResponse response_delete_range = 3;
  }
}
message TxnRequest { repeated Compare compare = 1; repeated RequestOp success = 2; repeated RequestOp failure = 3; }
message TxnResponse { ResponseHeader header = 1; bool succeeded = 2; repeated ResponseOp responses = 3; }
message CompactionRequest { int64 revision = 1; bool physical = 2; }
message CompactionResponse { ResponseHeader header = 1; }

message WatchCreateRequest {
  bytes key = 1; bytes range_end = 2; int64 start_revision = 3; bool progress_notify = 4; bool prev_kv = 6;
  bool fragment = 8;
}
message WatchRequest { oneof request { WatchCreateRequest create_request = 1; } }
message Event { int32 type = 1; KeyValue kv = 2; KeyValue prev_kv = 3; }
message WatchResponse {
  ResponseHeader header = 1; bool created = 3; bool canceled = 4; int64 compact_revision = 5; string cancel_reason = 6;
  bool fragment = 7; repeated Event events = 11;
}

message LeaseGrantRequest { int64 TTL = 1; int64 ID = 2; }
message LeaseGrantResponse { ResponseHeader header = 1; int64 ID = 2; int64 TTL = 3; string error = 4; }
message LeaseRevokeRequest { int64 ID = 1; }
message LeaseRevokeResponse { ResponseHeader header = 1; }
message LeaseKeepAliveRequest { int64 ID = 1; }
message LeaseKeepAliveResponse { ResponseHeader header = 1; int64 ID = 2; int64 TTL = 3; }
`;

const { root } = protobuf.parse(DEFINITIONS);
const type = (name: string): Type => root.lookupType(`etcdserverpb.${name}`);

/** A 64-bit integer as the wire gives it. Revisions and counts fit a number; ids of leases are only handed back. */
export type Int64 = number | { readonly low: number; readonly high: number };

export function int64(value: Int64): number {
  return typeof value === 'number' ? value : value.high * 2 ** 32 + (value.low >>> 0);
}

export interface Header {
  readonly revision: Int64;
}
export interface KeyValue {
  readonly key: Uint8Array;
  readonly createRevision: Int64;
  readonly modRevision: Int64;
  readonly version: Int64;
  readonly value: Uint8Array;
}
export interface RangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd?: Uint8Array;
  readonly limit?: number;
  readonly revision?: number;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
}
export interface RangeResponse {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly count: Int64;
}
export interface PutRequest {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly lease?: Int64;
  readonly prevKv?: boolean;
}
export interface DeleteRangeRequest {
  readonly key: Uint8Array;
  readonly prevKv?: boolean;
}
export interface RequestOp {
  readonly requestRange?: RangeRequest;
  readonly requestPut?: PutRequest;
  readonly requestDeleteRange?: DeleteRangeRequest;
}
export interface ResponseOp {
  readonly responseRange?: RangeResponse;
  readonly responsePut?: { readonly prevKv: KeyValue | null };
  readonly responseDeleteRange?: { readonly prevKvs: readonly KeyValue[] };
}
/** What a key is compared with: `target` 0 is its version, 1 its creation, 2 its last change. Results must be equal. */
export interface Compare {
  readonly target: 0 | 1 | 2;
  readonly key: Uint8Array;
  readonly version?: number;
  readonly createRevision?: number;
  readonly modRevision?: number;
}
export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}
export interface TxnResponse {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOp[];
}
export interface WatchRequest {
  readonly createRequest: {
    readonly key: Uint8Array;
    readonly rangeEnd: Uint8Array;
    readonly startRevision: number;
    readonly progressNotify: boolean;
    readonly prevKv: boolean;
    readonly fragment: boolean;
  };
}
export interface EtcdWatchEvent {
  /** 0: put, 1: delete. */
  readonly type: number;
  readonly kv: KeyValue;
  readonly prevKv: KeyValue | null;
}
export interface WatchResponse {
  readonly header: Header;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: Int64;
  readonly cancelReason: string;
  /** More of the same moment follows in the next response. */
  readonly fragment: boolean;
  readonly events: readonly EtcdWatchEvent[];
}

/** A call of the API: where it goes, and how its messages become bytes. */
export interface Method<Request, Response> {
  readonly path: string;
  readonly write: (request: Request) => Buffer;
  readonly read: (bytes: Buffer) => Response;
}

function method<Request, Response>(path: string, name: string): Method<Request, Response> {
  const request = type(`${name}Request`);
  const response = type(`${name}Response`);
  return {
    path: `/etcdserverpb.${path}`,
    write: (message) => Buffer.from(request.encode(request.create(message as object)).finish()),
    read: (bytes) => response.decode(bytes) as unknown as Response,
  };
}

export const RANGE = method<RangeRequest, RangeResponse>('KV/Range', 'Range');
export const TXN = method<TxnRequest, TxnResponse>('KV/Txn', 'Txn');
export const COMPACT = method<{ revision: number; physical: boolean }, { header: Header }>('KV/Compact', 'Compaction');
export const WATCH = method<WatchRequest, WatchResponse>('Watch/Watch', 'Watch');
export const LEASE_GRANT = method<{ TTL: number }, { ID: Int64; TTL: Int64 }>('Lease/LeaseGrant', 'LeaseGrant');
export const LEASE_REVOKE = method<{ ID: Int64 }, { header: Header }>('Lease/LeaseRevoke', 'LeaseRevoke');
export const LEASE_KEEP_ALIVE = method<{ ID: Int64 }, { TTL: Int64 }>('Lease/LeaseKeepAlive', 'LeaseKeepAlive');
