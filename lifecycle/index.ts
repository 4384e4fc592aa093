/** The deprecation policy at work: histories judged and drawn, upgrades assessed, objects converted. */

export { type ConvertedFile, convertFile, type FileNote } from './convert/convertFile.ts';
export { objectsText } from './convert/objectsText.ts';
export { type Fault, HistoryFault } from './fault.ts';
export { type LifecycleFinding, RULES, type RuleName } from './finding.ts';
export type { ApiHistory } from './history.ts';
export { judge, type LifecycleReport } from './judge.ts';
export { judgementText } from './judgementText.ts';
export { svg } from './plot/svg.ts';
export { readHistory } from './readHistory.ts';
export { type Assessment, assess, isBroken, type Upgrade, type UpgradeEffect } from './upgrade/assess.ts';
export { type Manifest, type Manifests, readManifests, type SourceFile, type Unread } from './upgrade/manifests.ts';
export { type UpgradeReport, upgradeAnnotations, upgradeJson, upgradeText } from './upgrade/text.ts';
