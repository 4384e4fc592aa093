import { dns1035Label, dns1123Label, type ObjectNameRule, objectName } from '../../../api/nameRules.ts';
import { ensureObject, textOf } from '../../../api/parts.ts';
import type { RuleMaker } from '../../builtinType.ts';
import { dropUnneeded } from './allocated.ts';
import { allocateService } from './allocation.ts';
import { validateServiceChange } from './changes.ts';
import { fillService } from './defaults.ts';
import { specOf } from './serviceParts.ts';
import { validateService } from './validation.ts';
import { serviceWarnings } from './warnings.ts';

/** Names are single labels, which could not begin with a digit before. */
export const serviceName = (release: number): ObjectNameRule => objectName(release >= 34 ? dns1123Label : dns1035Label);

/** A service gets addresses and node ports as its type needs them, and keeps them while it needs them. */
export const serviceRules: RuleMaker = ({ dialect, release }) => ({
  strategy: {
    allocate: allocateService(release),
    prepareForUpdate(service, old) {
      const spec = ensureObject(service, 'spec');
      dropUnneeded(spec, specOf(old));
      if (spec.type !== 'LoadBalancer' && specOf(old).type === 'LoadBalancer') service.status = { loadBalancer: {} };
    },
    validate: (service) => validateService(service, undefined, release),
    validateUpdate: (service, old) => [
      ...validateServiceChange(service, old),
      ...validateService(service, old, release),
    ],
    warnings: (service) => serviceWarnings(service, dialect),
  },
  defaults: { v1: fillService },
  selectableFields: {
    'spec.clusterIP': (service) => textOf(specOf(service).clusterIP),
    'spec.type': (service) => textOf(specOf(service).type),
  },
});
