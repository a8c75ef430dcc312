export { MovableClock as TestClock } from '../../test-kit/movable-clock.js';
