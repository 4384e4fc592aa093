import type { User } from '../api/identity.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { PolicyRule } from '../contracts/authorizer.ts';
import { bindingOf, type RbacBinding, type Subject, serviceAccountUser } from '../contracts/rbacObjects.ts';
import { rulesOf } from '../contracts/rbacRules.ts';
import { readable } from '../contracts/readable.ts';
import type { Store } from '../contracts/store.ts';
import { Follower, type Forked, type StoreChange } from '../contracts/storeFollower.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import type { Clock } from '../time.ts';

/** A binding that names a user, with the subject by which it does. */
export interface Grant {
  readonly binding: RbacBinding;
  readonly subject: Subject;
}
interface Scope {
  readonly bindings: LayeredMap<string, RbacBinding>;
  /** Built when first asked for, forgotten when a binding changes. */
  users: Map<string, Grant[]> | undefined;
  groups: Map<string, Grant[]>;
}

const newScope = (): Scope => ({ bindings: new LayeredMap(), users: undefined, groups: new Map() });
/** What was built is never changed, only made anew. */
const forkScope = ({ bindings, users, groups }: Scope): Scope => ({ bindings: bindings.fork(), users, groups });

const RESOURCES = ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'] as const;

/** Roles and bindings in memory, kept up to date from the store, bindings found by user and group. */
export class RbacIndex {
  readonly #namespacedUsers: 'match' | 'fault';
  readonly #clusterRoles: LayeredMap<string, readonly PolicyRule[]>;
  readonly #roles: LayeredMap<string, readonly PolicyRule[]>;
  readonly #cluster: Scope;
  readonly #namespaces: LayeredMap<string, Scope>;
  readonly #followers: readonly Follower[];

  /**
   * @param group name of the API group of roles and bindings
   * @param namespacedUsers what a subject of kind User or Group with a namespace does: match as if it had none, or
   *   match nobody and be a fault of the binding
   * @param from the index of the store that this one was forked from
   */
  constructor(store: Store, group: string, namespacedUsers: 'match' | 'fault', clock: Clock, from?: Forked<RbacIndex>) {
    this.#namespacedUsers = namespacedUsers;
    const { of: index, revision = 0 } = from ?? {};
    this.#clusterRoles = index ? index.#clusterRoles.fork() : new LayeredMap();
    this.#roles = index ? index.#roles.fork() : new LayeredMap();
    this.#namespaces = index ? index.#namespaces.fork() : new LayeredMap();
    if (index && !index.#cluster.users) index.#build(index.#cluster);
    this.#cluster = index ? forkScope(index.#cluster) : newScope();
    const before = index ? index.#followers : [];
    this.#followers = RESOURCES.map((resource, at) => {
      const changed = (change: StoreChange) => this.#apply(resource, change);
      return (
        before[at]?.fork(store, revision, clock, changed) ??
        new Follower(store, collectionPrefix({ group, resource }), clock, changed)
      );
    });
  }

  /** Reads what is stored and follows every change from then on. */
  async start(): Promise<void> {
    for (const follower of this.#followers) await follower.start();
  }
  stop(): void {
    for (const follower of this.#followers) follower.stop();
  }

  /** The rules of a role; undefined when there is none of that name. */
  rules(binding: RbacBinding): readonly PolicyRule[] | undefined {
    const { kind, name } = binding.role;
    return kind === 'ClusterRole' ? this.#clusterRoles.get(name) : this.#roles.get(`${binding.namespace}/${name}`);
  }

  /** Cluster bindings that name the user or a group of the user; then, with a namespace, the bindings in it. */
  *grants(user: User, namespace: string): Generator<Grant> {
    yield* this.#within(this.#cluster, user);
    const scope = namespace === '' ? undefined : this.#namespaces.get(namespace);
    if (scope) yield* this.#within(scope, user);
  }

  /** Subjects that this index will not match, of bindings that could bear on a request; see the constructor. */
  *faults(user: User, namespace: string): Generator<Grant> {
    if (this.#namespacedUsers === 'match') return;
    const groups = new Set(user.groups);
    const scopes = [this.#cluster, this.#namespaces.get(namespace)];
    for (const scope of scopes) {
      for (const binding of scope?.bindings.values() ?? []) {
        for (const subject of binding.subjects) {
          if (subject.namespace === '' || subject.kind === 'ServiceAccount') continue;
          if (subject.kind === 'User' ? subject.name === user.username : groups.has(subject.name)) {
            yield { binding, subject };
          }
        }
      }
    }
  }

  *#within(scope: Scope, user: User): Generator<Grant> {
    if (!scope.users) this.#build(scope);
    yield* scope.users?.get(user.username) ?? [];
    for (const group of user.groups) yield* scope.groups.get(group) ?? [];
  }

  #build(scope: Scope): void {
    const users = new Map<string, Grant[]>();
    const groups = new Map<string, Grant[]>();
    for (const name of [...scope.bindings.keys()].sort()) {
      const binding = scope.bindings.get(name) as RbacBinding;
      for (const subject of binding.subjects) {
        const [index, who] = this.#place(subject, binding.namespace, users, groups);
        if (!index) continue;
        const grants = index.get(who);
        if (grants) grants.push({ binding, subject });
        else index.set(who, [{ binding, subject }]);
      }
    }
    scope.users = users;
    scope.groups = groups;
  }

  #place<I>(subject: Subject, bindingNamespace: string, users: I, groups: I): readonly [I | undefined, string] {
    if (subject.kind === 'ServiceAccount') {
      const namespace = subject.namespace || bindingNamespace;
      return [namespace === '' ? undefined : users, serviceAccountUser(namespace, subject.name)];
    }
    if (subject.namespace !== '' && this.#namespacedUsers === 'fault') return [undefined, ''];
    if (subject.kind === 'User') return [users, subject.name];
    return [subject.kind === 'Group' ? groups : undefined, subject.name];
  }

  #apply(resource: (typeof RESOURCES)[number], { key, entry, deleted }: StoreChange): void {
    const [name = '', namespace = ''] = key.split('/').slice(3).reverse();
    // What cannot be read grants nothing.
    const object = readable(entry);
    const gone = deleted || !object;
    if (resource === 'clusterroles' || resource === 'roles') {
      const [roles, key] = resource === 'roles' ? [this.#roles, `${namespace}/${name}`] : [this.#clusterRoles, name];
      if (gone) roles.delete(key);
      else roles.set(key, rulesOf(object));
      return;
    }
    let scope = resource === 'clusterrolebindings' ? this.#cluster : this.#namespaces.own(namespace, forkScope);
    if (!scope) {
      scope = newScope();
      this.#namespaces.set(namespace, scope);
    }
    if (gone) scope.bindings.delete(name);
    else scope.bindings.set(name, bindingOf(object));
    scope.users = undefined;
    if (scope !== this.#cluster && scope.bindings.size === 0) this.#namespaces.delete(namespace);
  }
}
