import { render } from 'preact'
import { App } from './app.js'
import './styles/index.css'
import { start } from './store.js'

const place = document.getElementById('page')
if (place) render(<App />, place)
void start()
