import { replay } from './support/replay.js'

replay('guarded')
