export {
  GUARANTEES,
  type Guarantee,
  type GuaranteeName,
  type GuaranteeResult,
  type GuaranteeViolation,
} from './guarantee.ts';
export { type GuaranteeFinding, Judge, judge } from './judge.ts';
export { JudgeOfChecks } from './judgeOfChecks.ts';
