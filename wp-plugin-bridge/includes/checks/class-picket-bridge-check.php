<?php
/**
 * A check of the site.
 *
 * @package PicketBridge
 */

/**
 * Measures one thing, and can change it. A change is tested by requests to the site itself, and taken back if they do not prove
 * that the site still answers and the change has an effect.
 */
abstract class Picket_Bridge_Check {

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	abstract public function measure(): array;

	/**
	 * Returns what the fix changes; nothing for a check without one.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		return array();
	}

	/**
	 * Returns whether a change of the fix is on the site.
	 */
	final public function is_applied(): bool {
		foreach ( $this->changes() as $change ) {
			if ( $change->is_applied() ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns why the fix is not possible on this site, or an empty text.
	 */
	public function obstacle(): string {
		foreach ( $this->changes() as $change ) {
			$obstacle = $change->obstacle();
			if ( '' !== $obstacle ) {
				return $obstacle;
			}
		}
		return '';
	}

	/**
	 * Returns why the fix must not or cannot be made now, or an empty text.
	 */
	final public function problem_before(): string {
		if ( array() === $this->changes() ) {
			return '';
		}
		return Picket_Bridge_Safe_Mode::is_on() ? Picket_Bridge_Safe_Mode::REASON : $this->obstacle();
	}

	/**
	 * Returns whether the configuration of the web server may do what an obstacle keeps this plugin from doing.
	 */
	public function is_pasteable(): bool {
		return true;
	}

	/**
	 * Makes the changes.
	 *
	 * @return array{outcome: string, error: string}
	 */
	final public function apply(): array {
		Picket_Bridge_Measurement::begin();
		$problem = is_multisite() ? 'The site is part of a multisite network, and the fix would change all sites of it.' : $this->problem_before();
		if ( '' !== $problem ) {
			return self::outcome( 'failed', "$problem Nothing was changed." );
		}
		$before = self::home_status();
		if ( 1 !== preg_match( '/^HTTP [234]\d\d$/', $before ) ) {
			return self::outcome( 'failed', "The site does not answer itself ($before), so the fix cannot be tested. Nothing was changed." );
		}
		if ( Picket_Bridge_Connection::is_gone() ) {
			return self::outcome( 'failed', 'The plugin was deactivated before the change. Nothing was changed.' );
		}
		foreach ( $this->changes() as $change ) {
			$problem = $change->write();
			if ( '' !== $problem ) {
				$undone = $this->undo();
				return 'applied' === $undone['outcome'] ? self::outcome( 'failed', "$problem Nothing was changed." ) : $undone;
			}
		}
		// Deactivation deletes the connection before it undoes: what is written after that is found here.
		if ( Picket_Bridge_Connection::is_gone() ) {
			return $this->rolled_back( 'The plugin was deactivated during the change, so it was undone.' );
		}
		$problem = $this->problem_after( $before );
		return '' === $problem ? self::outcome( 'applied', '' ) : $this->rolled_back( "The test after the change failed, so it was undone: $problem" );
	}

	/**
	 * Returns why the site is not as it should be after the change, or an empty text.
	 *
	 * @param string $before The status of the home page before.
	 */
	private function problem_after( string $before ): string {
		Picket_Bridge_Measurement::begin();
		$after = self::home_status();
		if ( $after !== $before ) {
			return "the home page answered with $after instead of $before";
		}
		$measured = $this->measure();
		return 'passing' === $measured['status'] ? '' : $measured['evidence'];
	}

	/**
	 * Takes the changes back, because of what happened.
	 *
	 * @param string $reason Why.
	 * @return array{outcome: string, error: string}
	 */
	private function rolled_back( string $reason ): array {
		$undone = $this->undo();
		return 'applied' === $undone['outcome'] ? self::outcome( 'rolled_back', $reason ) : $undone;
	}

	/**
	 * Takes the changes back.
	 *
	 * @return array{outcome: string, error: string}
	 */
	final public function undo(): array {
		$failed = array();
		foreach ( array_reverse( $this->changes() ) as $change ) {
			$failed[] = $change->undo();
		}
		$failed = array_filter( $failed );
		return array() === $failed ? self::outcome( 'applied', '' ) : self::outcome( 'failed', implode( ' ', $failed ) );
	}

	/**
	 * Returns the HTTP status of the home page, or why there is none.
	 */
	private static function home_status(): string {
		$answer = Picket_Bridge_Self_Request::once( 'GET', home_url( '/' ) );
		return is_wp_error( $answer ) ? $answer->get_error_message() : 'HTTP ' . $answer['status'];
	}

	/**
	 * Returns the result of a job.
	 *
	 * @param string $outcome One of applied, failed and rolled_back.
	 * @param string $error   What failed.
	 * @return array{outcome: string, error: string}
	 */
	private static function outcome( string $outcome, string $error ): array {
		return array(
			'outcome' => $outcome,
			'error'   => $error,
		);
	}

	/**
	 * Returns a result of a measurement.
	 *
	 * @param string $status   One of passing, failing and unknown.
	 * @param string $evidence What was seen.
	 * @return array{status: string, evidence: string}
	 */
	final protected static function result( string $status, string $evidence ): array {
		return array(
			'status'   => $status,
			'evidence' => $evidence,
		);
	}

	/**
	 * Returns the result without an answer.
	 *
	 * @param string   $what  What was requested.
	 * @param WP_Error $error Why there is none.
	 * @return array{status: string, evidence: string}
	 */
	final protected static function unanswered( string $what, WP_Error $error ): array {
		return self::result( 'unknown', "$what could not be requested: " . $error->get_error_message() );
	}
}
