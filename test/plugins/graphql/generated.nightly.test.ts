import { generatedSuite } from './generated-suite.js'

generatedSuite({ count: 2000, seed: 1000 })
