import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { OPERATOR_API } from '../wire.js';
import type { DoctorAnswer } from '../wire-installation.js';
import { NoMembers } from './account-bodies.js';
import { Operation } from './rights.guard.js';
import { RunDoctor } from './run-doctor.js';

/** Runs the checks of the doctor in the gateway that answers. */
@Controller(`${OPERATOR_API}/doctor`)
export class DoctorController {
  constructor(private readonly doctor: RunDoctor) {}

  /**
   * Checks the whole installation from this gateway, and reports what is wrong and how to fix it. Takes up to half a minute, and sends
   * no mail.
   * @throws 409 doctor_running
   */
  @Post()
  @Operation('doctor.run')
  @HttpCode(200)
  run(@Body() _: NoMembers): Promise<DoctorAnswer> {
    return this.doctor.run();
  }
}
