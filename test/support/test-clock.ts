export { MovableClock as TestClock } from '../../testing/movable-clock.js';
