<?php
/**
 * Jobs of Picket.
 *
 * @package PicketBridge
 */

/**
 * Does jobs. A job is a type and the name of a check, from fixed lists, and for some types the slug of an installed plugin:
 * nothing that Picket sends is ever written to a file or run. Each job is done once, and its result is kept until Picket has it.
 */
final class Picket_Bridge_Jobs {

	const OPTION   = 'picket_bridge_state';
	const KEPT_MAX = 20;

	/**
	 * Returns the results that Picket may not have yet. A job that was interrupted, as when the process was killed, is undone
	 * first, which finishes one that was undoing.
	 */
	public static function results(): array {
		$state = self::state();
		if ( is_array( $state['running'] ) ) {
			$job    = $state['running'];
			$result = isset( $job['plugin'] ) ? Picket_Bridge_Plugin_Change::interrupted( $job ) : self::interrupted( $job );
			Picket_Bridge_Measurement::make_due();
			$state = self::ended( $state, $job['id'], $result );
		}
		$results = array();
		// Picket refuses a message with more, also of those that an earlier version has stored.
		foreach ( array_slice( $state['done'], -self::KEPT_MAX, null, true ) as $id => $result ) {
			$results[] = array(
				'job_id'  => (string) $id,
				'outcome' => $result['outcome'],
				'error'   => self::line( $result['error'] ),
			);
		}
		return $results;
	}

	/**
	 * Undoes the fix of a job that was interrupted.
	 *
	 * @param array $job As stored while it runs.
	 * @return array{outcome: string, error: string}
	 */
	private static function interrupted( array $job ): array {
		$check  = Picket_Bridge_Measurement::checks()[ $job['check'] ] ?? null;
		$result = null === $check ? self::unknown() : $check->undo();
		if ( 'undo' === ( $job['kind'] ?? '' ) || 'applied' !== $result['outcome'] ) {
			return $result;
		}
		return array(
			'outcome' => 'rolled_back',
			'error'   => 'The job was interrupted, so it was undone.',
		);
	}

	/**
	 * Does what was not done before. Returns whether there are new results.
	 *
	 * @param mixed $jobs The jobs, as Picket sent them.
	 */
	public static function run( $jobs ): bool {
		$is_new = false;
		$checks = Picket_Bridge_Measurement::checks();
		foreach ( is_array( $jobs ) ? $jobs : array() as $job ) {
			$id    = is_string( $job['id'] ?? null ) ? $job['id'] : '';
			$check = is_string( $job['check'] ?? null ) ? $job['check'] : '';
			$kind  = $job['kind'] ?? null;
			$state = self::state();
			if ( 1 !== preg_match( '/^job_[0-9a-z]{26}$/', $id ) || isset( $state['done'][ $id ] ) ) {
				continue;
			}
			$plugin    = is_string( $job['plugin'] ?? null ) ? $job['plugin'] : '';
			$is_plugin = '' !== $plugin && in_array( $kind, Picket_Bridge_Plugin_Change::KINDS, true );
			$is_fix    = isset( $checks[ $check ] ) && array() !== $checks[ $check ]->changes() && in_array( $kind, array( 'fix', 'undo' ), true );
			if ( ! $is_plugin && ! $is_fix ) {
				$result = self::unknown();
			} else {
				$state['running'] = array_merge(
					array(
						'id'    => $id,
						'check' => $check,
						'kind'  => $kind,
					),
					$is_plugin ? array( 'plugin' => $plugin ) : array()
				);
				self::save( $state );
				$result = $is_plugin ? Picket_Bridge_Plugin_Change::run( $id, $kind, $plugin ) : self::of_check( $checks[ $check ], $kind );
			}
			self::ended( $state, $id, $result );
			$is_new = true;
		}
		return $is_new;
	}

	/**
	 * Fixes a check, or undoes that.
	 *
	 * @param Picket_Bridge_Check $check The check.
	 * @param string              $kind  Either fix or undo.
	 * @return array{outcome: string, error: string}
	 */
	private static function of_check( Picket_Bridge_Check $check, string $kind ): array {
		return 'fix' === $kind ? $check->apply() : $check->undo();
	}

	/**
	 * Returns the checks of the jobs that undo something, by the keys of the jobs.
	 *
	 * @param array $jobs The jobs, as Picket sent them.
	 * @return string[]
	 */
	public static function checks_to_undo( array $jobs ): array {
		$checks = array();
		foreach ( $jobs as $key => $job ) {
			if ( 'undo' === ( $job['kind'] ?? null ) && is_string( $job['check'] ?? null ) ) {
				$checks[ $key ] = $job['check'];
			}
		}
		return $checks;
	}

	/**
	 * Returns the result of a job that another version of the plugin knows.
	 *
	 * @return array{outcome: string, error: string}
	 */
	private static function unknown(): array {
		return array(
			'outcome' => 'failed',
			'error'   => 'This version of the plugin does not know the job. Update it.',
		);
	}

	/**
	 * Stores the result of a job. Returns what is stored then.
	 *
	 * @param array  $state  What is known of jobs.
	 * @param string $id     The id of the job.
	 * @param array  $result Its outcome and error.
	 */
	private static function ended( array $state, string $id, array $result ): array {
		$state['running']     = null;
		$state['done'][ $id ] = $result;
		$state['done']        = array_slice( $state['done'], -self::KEPT_MAX, null, true );
		self::save( $state );
		return $state;
	}

	/**
	 * Takes back every fix.
	 */
	public static function undo_fixes(): void {
		foreach ( Picket_Bridge_Measurement::checks() as $check ) {
			$check->undo();
		}
	}

	/**
	 * Takes back every fix, and forgets how plugins were before they were updated or deactivated.
	 */
	public static function undo_all(): void {
		self::undo_fixes();
		Picket_Bridge_Plugin_Change::forget();
		Picket_Bridge_Canary::sweep();
	}

	/**
	 * Returns what is stored of jobs.
	 */
	private static function state(): array {
		$state = get_option( self::OPTION );
		return is_array( $state ) ? $state : array(
			'running' => null,
			'done'    => array(),
		);
	}

	/**
	 * Stores it.
	 *
	 * @param array $state What is known of jobs.
	 */
	private static function save( array $state ): void {
		update_option( self::OPTION, $state, false );
	}

	/**
	 * Returns a text as one line that Picket accepts.
	 *
	 * @param string $text The text.
	 */
	public static function line( string $text ): string {
		$line = trim( (string) preg_replace( '/[\x00-\x1f\x7f]+/', ' ', wp_check_invalid_utf8( wp_strip_all_tags( $text ), true ) ) );
		return function_exists( 'mb_substr' ) ? mb_substr( $line, 0, 300 ) : substr( $line, 0, 300 );
	}
}
