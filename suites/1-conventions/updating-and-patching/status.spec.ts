import { check, match, must, named, objectIn, PATCH_TYPES } from '../../harness/index.ts';
import { condition, services } from '../server-side-apply-rules/services.ts';

const status = { conditions: [condition('Touched')] };

check(
  'UPDATE-VERSION-02.2',
  'the author puts a status over a version that has passed → 409, and nothing changes',
  ['UPDATE-VERSION-02/status'],
  async ({ author }) => {
    const first = await author.given(services, named('doc'));
    await author.prepare((each) => each.patch(services, 'doc', 'merge', { metadata: { labels: { later: 'yes' } } }));
    const live = objectIn(await author.get(services, 'doc'));
    const path = await author.pathOf(services, 'doc', 'status');
    const late = await author.request('PUT', path, { body: { ...first, status } });
    must('it came too late', late, match.status(409));
    const same = await author.request('PUT', path, { body: first });
    must('so does the status that it has', same, match.status(409));
    must('nothing changes', await author.get(services, 'doc'), match.body(live));
    const version = { resourceVersion: live.metadata.resourceVersion };
    const taken = await author.request('PUT', path, {
      body: { ...live, metadata: { ...live.metadata, ...version }, status },
    });
    must('at the stored version it is taken', taken, match.status(200));
  },
);

check(
  'DRYRUN-EFFECT-01.2',
  'the author tries a PUT and patches of a status → answered, and nothing changes',
  ['DRYRUN-EFFECT-01/status'],
  async ({ author }) => {
    const live = await author.given(services, named('doc'));
    const path = `${await author.pathOf(services, 'doc', 'status')}?dryRun=All`;
    must('a PUT', await author.request('PUT', path, { body: { ...live, status } }), match.status(200));
    for (const type of [PATCH_TYPES.merge, PATCH_TYPES.strategic]) {
      const patched = await author.request('PATCH', path, { headers: { 'content-type': type }, body: { status } });
      must('and a patch is answered', patched, match.status(200));
    }
    must('nothing changes', await author.get(services, 'doc'), match.body(live));
  },
);
