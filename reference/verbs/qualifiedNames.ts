export { labelValue as labelValueFaults, qualifiedName as qualifiedNameFaults } from '../resources/nameRules.ts';
