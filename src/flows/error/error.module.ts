import { Module } from '@nestjs/common';
import { ErrorController } from './error.controller.js';

@Module({ controllers: [ErrorController] })
export class ErrorModule {}
