/** Logs that are files of the machine. */
export { LogFile, type Rotation } from './node/logFile.ts';
