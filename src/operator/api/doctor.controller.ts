import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { OPERATOR_API } from '../wire.js';
import type { DoctorAnswer } from '../wire-installation.js';
import { NoMembers } from './account-bodies.js';
import { Operation } from './rights.guard.js';
import { RunDoctor } from './run-doctor.js';

/** The checks of the doctor, made by the gateway that answers. */
@Controller(`${OPERATOR_API}/doctor`)
export class DoctorController {
  constructor(private readonly doctor: RunDoctor) {}

  /**
   * Checks the whole installation from this gateway, and says how to fix what is wrong. Takes up to half a minute, and sends no mail.
   * @throws 409 doctor_running
   */
  @Post()
  @Operation('doctor.run')
  @HttpCode(200)
  run(@Body() _: NoMembers): Promise<DoctorAnswer> {
    return this.doctor.run();
  }
}
