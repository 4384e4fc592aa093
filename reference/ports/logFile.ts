/** Logs that are files of the machine. */
export { LogFile, type Rotation, STANDARD_OUTPUT } from './node/logFile.ts';
