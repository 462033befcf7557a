import { generatedSuite } from './generated-suite.js'

generatedSuite({ count: 100, seed: 1 })
